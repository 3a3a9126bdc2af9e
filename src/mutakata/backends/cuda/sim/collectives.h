// Barriers, shuffles, votes and atomics. Each notes the line of the call, which inlining cannot blur.
#pragma once

#define CUSIM_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define CUSIM_SITE(op) ::cusim::Site{op, file, line}

inline void __syncthreads(CUSIM_HERE) {
    ::cusim::collective(::cusim::SYNC, 0, 0, 0, CUSIM_SITE("__syncthreads"));
}
inline int __syncthreads_or(int p, CUSIM_HERE) {
    return (int)::cusim::collective(::cusim::SYNC_OR, 0, p != 0, 0, CUSIM_SITE("__syncthreads_or"));
}
inline int __syncthreads_and(int p, CUSIM_HERE) {
    return (int)::cusim::collective(::cusim::SYNC_AND, 0, p != 0, 0, CUSIM_SITE("__syncthreads_and"));
}
inline int __syncthreads_count(int p, CUSIM_HERE) {
    return (int)::cusim::collective(::cusim::SYNC_COUNT, 0, p != 0, 0, CUSIM_SITE("__syncthreads_count"));
}
inline void __syncwarp(unsigned mask = ~0u, CUSIM_HERE) {
    ::cusim::collective(::cusim::WARP_SYNC, mask, 0, 0, CUSIM_SITE("__syncwarp"));
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

inline unsigned __ballot_sync(unsigned mask, int p, CUSIM_HERE) {
    return (unsigned)::cusim::collective(::cusim::BALLOT, mask, p != 0, 0, CUSIM_SITE("__ballot_sync"));
}
inline int __any_sync(unsigned mask, int p, CUSIM_HERE) {
    return ::cusim::collective(::cusim::BALLOT, mask, p != 0, 0, CUSIM_SITE("__any_sync")) != 0;
}
inline int __all_sync(unsigned mask, int p, CUSIM_HERE) {
    return ::cusim::collective(::cusim::BALLOT, mask, p == 0, 0, CUSIM_SITE("__all_sync")) == 0;
}
inline unsigned __activemask() { return ::cusim::live_lanes(); }

namespace cusim {
template <class T> CUSIM_NO_STEPS T shuffle(unsigned mask, T value, int source, Site site) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = collective(SHUFFLE, mask, bits, source, site);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
// First lane of the caller's segment; a width that is no power of two has no meaning on a GPU.
CUSIM_NO_STEPS inline int segment(int width, Site site) {
    if (width <= 0 || width > 32 || (width & (width - 1))) bad_width(width, site);
    return lane() & -width;
}
}  // namespace cusim

#define CUSIM_SHUFFLE(name, argument, source)                                                        \
    template <class T>                                                                               \
    CUSIM_NO_STEPS T name(unsigned mask, T value, argument, int width = 32, CUSIM_HERE) {            \
        const ::cusim::Site site = CUSIM_SITE(#name);                                                \
        const int lane = ::cusim::lane(), first = ::cusim::segment(width, site);                     \
        return ::cusim::shuffle(mask, value, source, site);                                          \
    }
CUSIM_SHUFFLE(__shfl_sync, int from, first + (from & (width - 1)))
CUSIM_SHUFFLE(__shfl_xor_sync, int bits, (lane ^ bits) < first + width ? lane ^ bits : lane)
CUSIM_SHUFFLE(__shfl_down_sync, unsigned delta, lane + (int)delta < first + width ? lane + (int)delta : lane)
CUSIM_SHUFFLE(__shfl_up_sync, unsigned delta, lane - (int)delta >= first ? lane - (int)delta : lane)

// Atomics run whole, as fibers are not preempted; the runtime only learns of them.
#define CUSIM_ATOMIC(name, expression)                                                               \
    template <class T>                                                                               \
    __attribute__((noinline)) CUSIM_UNCHECKED T name(T* p, std::type_identity_t<T> v) {              \
        ::cusim::atomic_access((const void*)p, sizeof(T), __builtin_return_address(0));              \
        T old = *p;                                                                                  \
        *p = expression;                                                                             \
        return old;                                                                                  \
    }
CUSIM_ATOMIC(atomicAdd, (T)(old + v))
CUSIM_ATOMIC(atomicSub, (T)(old - v))
CUSIM_ATOMIC(atomicExch, v)
CUSIM_ATOMIC(atomicMax, old < v ? v : old)
CUSIM_ATOMIC(atomicMin, v < old ? v : old)
CUSIM_ATOMIC(atomicAnd, (T)(old & v))
CUSIM_ATOMIC(atomicOr, (T)(old | v))
CUSIM_ATOMIC(atomicXor, (T)(old ^ v))
CUSIM_ATOMIC(atomicInc, old >= v ? 0 : old + 1)
CUSIM_ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1)

template <class T>
__attribute__((noinline)) CUSIM_UNCHECKED T atomicCAS(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> v) {
    ::cusim::atomic_access((const void*)p, sizeof(T), __builtin_return_address(0));
    T old = *p;
    if (old == expected) *p = v;
    else ::cusim::yield();                   // whoever holds the lock must get a turn
    return old;
}
