// Right kernels of other shapes: tiles, vectors, votes, locks, narrow types.
#include <cuda_fp16.h>

__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};

// A transposition through a padded tile.
extern "C" __global__ void transpose(const float* x, float* y, int n) {
    __shared__ float tile[16][16 + 1];
    tile[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x];
    __syncthreads();
    y[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// Vector loads and stores with an exact tail.
extern "C" __global__ void vector_with_tail(const float* x, float* y, int n) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
    } else {
        for (; i < n; i++) y[i] = 2 * x[i];
    }
}

// Neighbours inside a warp, ordered by __syncwarp.
extern "C" __global__ void exchange_in_warp(const float* x, float* y, int n) {
    __shared__ float swap[64];
    swap[threadIdx.x] = x[threadIdx.x];
    __syncwarp();
    y[threadIdx.x] = swap[threadIdx.x ^ 1];
}

// A vote gives the mask for a partial warp.
extern "C" __global__ void ballot_mask(const float* x, float* y, int n) {
    unsigned mask = __ballot_sync(0xffffffffu, threadIdx.x < n);
    if (threadIdx.x < n) y[threadIdx.x] = __shfl_sync(mask, x[threadIdx.x], 0) + __popc(mask);
}

// Bins in shared memory, added to global ones by atomics.
extern "C" __global__ void histogram(const int* x, int* y, int n) {
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i] & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}

// A lock that threads of several blocks take in turn; the guarded value is updated by atomics only.
extern "C" __global__ void lock(int* held, int* value, int n) {
    for (int k = 0; k < n; k++) {
        while (atomicCAS(held, 0, 1) != 0) {
        }
        atomicAdd(value, 1);
        atomicExch(held, 0);
    }
}

// Every thread has its own byte.
extern "C" __global__ void bytes(const signed char* x, signed char* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = -x[i];
}

// Halves in pairs, with the odd one apart.
extern "C" __global__ void half_pairs(const __half* x, __half* y, int n) {
    int i = 2 * threadIdx.x;
    if (i + 1 < n) {
        __half2 v = *reinterpret_cast<const __half2*>(x + i);
        *reinterpret_cast<__half2*>(y + i) = __hadd2(v, v);
    } else if (i < n) {
        y[i] = __hadd(x[i], x[i]);
    }
}

// In place, each thread its own element; a stencil over constants.
extern "C" __global__ void smooth_in_place(float* x, int n) {
    __shared__ float copy[64];
    copy[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float sum = 0.0f;
    for (int k = -1; k <= 1; k++) {
        int j = min(max((int)threadIdx.x + k, 0), n - 1);
        sum += weights[k + 1] * copy[j];
    }
    x[threadIdx.x] = sum;
}

// Barriers inside a loop and a branch that all threads take alike.
extern "C" __global__ void uniform_branches(const float* x, float* y, int n) {
    __shared__ float kept;
    float sum = 0.0f;
    for (int r = 0; r < n; r++) {
        if (r % 2 == 0) {
            if (threadIdx.x == r) kept = x[r];
            __syncthreads();
            sum += kept;
        }
        __syncthreads();
    }
    y[threadIdx.x] = sum + __syncthreads_count(x[threadIdx.x] > 0.5f);
}

// A block of 40 threads reduces with the lanes it has.
extern "C" __global__ void partial_warp(const float* x, float* y, int n) {
    unsigned mask = threadIdx.x < 32 ? 0xffffffffu : 0x000000ffu;
    int width = threadIdx.x < 32 ? 32 : 8;
    float v = x[threadIdx.x];
    for (int o = width / 2; o > 0; o /= 2) v += __shfl_down_sync(mask, v, o, width);
    if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}
