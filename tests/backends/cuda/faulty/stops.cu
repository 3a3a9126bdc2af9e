// Loops that do not end, addresses a vector access cannot use, and explicit stops.
#include <cassert>

// expect: endless-loop; launch: 1, 32; x: 32; y: 32; n: 32
extern "C" __global__ void step_is_zero(const float* x, float* y, int n) {
    float sum = 0.0f;
    for (int o = n; o >= 0; o /= 2)  // FAULT
        sum += x[threadIdx.x];  // FAULT
    y[threadIdx.x] = sum;
}

// expect: endless-loop; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void waits_for_another_block(const float* x, float* y, int n) {
    while (atomicCAS((int*)y, 7, 7) != 7) {  // FAULT
    }
    y[threadIdx.x] = x[threadIdx.x];
}

// expect: misaligned; launch: 1, 8; x: 64; y: 64; n: 1
extern "C" __global__ void vector_at_offset_one(const float* x, float* y, int n) {
    float4 v = *reinterpret_cast<const float4*>(x + n + threadIdx.x * 4);  // FAULT
    y[threadIdx.x] = v.x + v.y + v.z + v.w;  // FAULT
}

// expect: misaligned; launch: 3, 4; x: 64; y: 64; n: 18
extern "C" __global__ void vector_rows_of_odd_width(const float* x, float* y, int n) {
    const float2* row = reinterpret_cast<const float2*>(x + blockIdx.x * (n - 1));
    y[blockIdx.x * 4 + threadIdx.x] = row[threadIdx.x].x + row[threadIdx.x].y;  // FAULT
}

// expect: division-by-zero; launch: 1, 8; x: 8; y: 8; n: 0
extern "C" __global__ void remainder_of_zero(const float* x, float* y, int n) {
    y[threadIdx.x] = x[(int)threadIdx.x % n];  // FAULT
}

// expect: assertion; launch: 1, 8; x: 8; y: 8; n: 3
extern "C" __global__ void asserts(const float* x, float* y, int n) {
    assert(n % 4 == 0);  // FAULT
    y[threadIdx.x] = x[threadIdx.x];
}

// expect: trap; launch: 1, 8; x: 8; y: 8; n: 3
extern "C" __global__ void traps(const float* x, float* y, int n) {
    if (n != 4) __trap();  // FAULT
    y[threadIdx.x] = x[threadIdx.x];
}

// expect: launch of huge; launch: 1, 8, 1024; x: 8; y: 8; n: 3
extern "C" __global__ void static_and_dynamic_too_much(const float* x, float* y, int n) {
    __shared__ float huge[12 * 1024];
    extern __shared__ float more[];
    huge[threadIdx.x] = more[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = huge[threadIdx.x];
}
