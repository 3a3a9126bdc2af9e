// Right kernels: none of these may be reported. Launches and expected results are in test_right.py.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <int Width>
__device__ float tile_sum(float v) {
#pragma unroll
    for (int o = Width / 2; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o, Width);
    return v;
}

// Warp tiles of eight lanes.
extern "C" __global__ void warp_tiles(const float* __restrict__ x, float* __restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = tile_sum<8>(i < n ? x[i] : 0.0f);
    if (i < n) y[i] = sum;
}

__device__ float block_sum(float v) {
    __shared__ float part[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = (blockDim.x + 31) >> 5;
    v = tile_sum<32>(v);
    __syncthreads();  // the array may still be read from an earlier call
    if (lane == 0) part[warp] = v;
    __syncthreads();
    return tile_sum<32>(lane < warps ? part[lane] : 0.0f);
}

// Two reductions over one scratch array, with a barrier between.
extern "C" __global__ void __launch_bounds__(256) variance(const float* x, float* y, int n) {
    const float* row = x + (size_t)blockIdx.x * n;
    float sum = 0.0f, square = 0.0f;
    for (int c = threadIdx.x; c < n; c += blockDim.x) sum += row[c];
    const float mean = block_sum(sum) / n;
    for (int c = threadIdx.x; c < n; c += blockDim.x) square += (row[c] - mean) * (row[c] - mean);
    square = block_sum(square);
    if (threadIdx.x == 0) y[blockIdx.x] = square / n;
}

// Ping-pong buffers: one barrier per step is enough.
extern "C" __global__ void scan_ping_pong(const float* x, float* y, int n) {
    extern __shared__ float buffers[];
    int i = threadIdx.x, from = 0;
    buffers[i] = x[i];
    __syncthreads();
    for (int o = 1; o < n; o *= 2) {
        const float* a = buffers + from * n;
        float* b = buffers + (1 - from) * n;
        b[i] = a[i] + (i >= o ? a[i - o] : 0.0f);
        from = 1 - from;
        __syncthreads();
    }
    y[i] = buffers[from * n + i];
}

template <bool Largest>
__device__ float extreme(float v) {
    __shared__ float tree[64];
    tree[threadIdx.x] = v;
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o >>= 1) {
        if (threadIdx.x < o) {
            float other = tree[threadIdx.x + o];
            tree[threadIdx.x] = Largest ? fmaxf(tree[threadIdx.x], other) : fminf(tree[threadIdx.x], other);
        }
        __syncthreads();
    }
    return tree[0];
}

// Shared memory in a template: each instantiation has its own array, so no barrier is needed between.
extern "C" __global__ void range_by_template(const float* x, float* y, int n) {
    float high = extreme<true>(x[threadIdx.x]);
    float low = extreme<false>(x[threadIdx.x]);
    y[threadIdx.x] = high - low;
}

// Threads without work leave before any barrier.
extern "C" __global__ void early_exit(const float* x, float* y, int n) {
    __shared__ float copy[64];
    if (threadIdx.x >= n) return;
    copy[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = copy[n - 1 - threadIdx.x];
}

// Blocks meet in one sum through atomics.
extern "C" __global__ void sum_by_atomics(const float* x, float* y, int n) {
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(y, sum);
}

// Four sums in dynamic shared memory that holds two types.
extern "C" __global__ void mixed_dynamic_shared(const float* x, float* y, int n) {
    extern __shared__ unsigned char raw[];
    float* values = reinterpret_cast<float*>(raw);
    int* counts = reinterpret_cast<int*>(raw + 64 * sizeof(float));
    values[threadIdx.x] = x[threadIdx.x];
    counts[threadIdx.x] = x[threadIdx.x] > 0.0f;
    __syncthreads();
    y[threadIdx.x] = values[threadIdx.x ^ 1] * counts[threadIdx.x ^ 1];
}
