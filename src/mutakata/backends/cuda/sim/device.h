// The CUDA language as the simulation gives it: included before the unchanged .cu file.
#pragma once
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#include "abi.h"
#include "include/cuda_bf16.h"
#include "include/cuda_fp16.h"
#include "include/math_constants.h"
#include "include/vector_types.h"

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(n) alignas(n)
#define __grid_constant__
#define __launch_bounds__(...)
#define __CUDA_ARCH__ 900

namespace cusim {
struct Coordinates { uint3 thread, block, block_dim, grid_dim; };

uint64_t collective(Op op, unsigned mask, uint64_t value, int source, Site site);
void bad_width(int width, Site site);
void* static_shared(const void* key, size_t bytes, size_t element, const char* name);
void* dynamic_shared(const char* name, size_t element);
void atomic_access(const void* p, int size, const void* pc);
void* checked_copy(void* to, const void* from, size_t n, const void* pc);
int lane();
unsigned live_lanes();
void yield();
int launch(void (*body)(void*), void* arguments);

// `key` tells one declaration, in one instantiation of a template, from every other.
template <class T> T& shared(const void* key, const char* name) {
    return *(T*)static_shared(key, sizeof(T), sizeof(std::remove_all_extents_t<T>), name);
}

// The simulation's own functions count no steps, so that a loop's end is reported at the user's line.
#ifdef __clang__
#define CUSIM_NO_STEPS __attribute__((no_sanitize("coverage")))
#else
#define CUSIM_NO_STEPS __attribute__((no_sanitize_coverage))
#endif
#define CUSIM_UNCHECKED \
    CUSIM_NO_STEPS __attribute__((no_sanitize("thread"), no_sanitize("bounds"), no_sanitize("alignment")))
template <class... A> struct Call { void (*kernel)(A...); void** arguments; };
template <class... A, size_t... I>
CUSIM_UNCHECKED void apply(void (*kernel)(A...), void** a, std::index_sequence<I...>) {
    kernel(*(std::remove_reference_t<A>*)a[I]...);
}
template <class... A> CUSIM_UNCHECKED void enter(void* p) {
    auto* call = (Call<A...>*)p;
    apply(call->kernel, call->arguments, std::index_sequence_for<A...>{});
}
template <class... A> CUSIM_UNCHECKED int run(void (*kernel)(A...), void** arguments) {
    Call<A...> call{kernel, arguments};
    return launch(&enter<A...>, &call);
}
}  // namespace cusim

// const: a fiber always reads its own place, and reads of a const object are not instrumented.
extern "C" const cusim::Coordinates cusim_coordinates;
extern "C" [[noreturn]] void cusim_assertion(const char* condition, const char* file, int line);
extern "C" [[noreturn]] void cusim_trap(const char* file, int line);
#define threadIdx (cusim_coordinates.thread)
#define blockIdx (cusim_coordinates.block)
#define blockDim (cusim_coordinates.block_dim)
#define gridDim (cusim_coordinates.grid_dim)
#define warpSize 32

#include "include/assert.h"
#define __trap() cusim_trap(__FILE__, __LINE__)
#define memcpy(to, from, n) ::cusim::checked_copy(to, from, n, __builtin_return_address(0))

#include "collectives.h"
#include "intrinsics.h"
