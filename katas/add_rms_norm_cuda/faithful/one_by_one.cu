// No vectors: an element at a time, whatever the address; the sum as a tree in shared memory.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float block_sum(float value) {
    __shared__ float tree[1024];
    const int me = threadIdx.x, threads = blockDim.x;
    tree[me] = value;
    int half = 1;
    while (2 * half < threads) half *= 2;  // largest power of two below the block's size
    for (; half > 0; half /= 2) {
        __syncthreads();
        if (me < half && me + half < threads) tree[me] += tree[me + half];
    }
    __syncthreads();
    const float total = tree[0];
    __syncthreads();
    return total;
}

template <typename T>
__device__ void add_and_normalise_rows(
    const T* x, T* residual, const T* weight, T* y, int rows, int width, long long x_stride, float eps) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * x_stride;
        T* stream = residual + (long long)row * width;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            stream[i] = T(float(from[i]) + float(stream[i]));
            sum += float(stream[i]) * float(stream[i]);
        }
        const float rstd = rsqrtf(block_sum(sum) / width + eps);
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            to[i] = T(float(stream[i]) * rstd * float(weight[i]));
    }
}

extern "C" __global__ void add_rms_norm_float32(
    const float* x, float* residual, const float* weight, float* y, int rows, int width, long long x_stride,
    float eps) {
    add_and_normalise_rows(x, residual, weight, y, rows, width, x_stride, eps);
}

extern "C" __global__ void add_rms_norm_float16(
    const __half* x, __half* residual, const __half* weight, __half* y, int rows, int width, long long x_stride,
    float eps) {
    add_and_normalise_rows(x, residual, weight, y, rows, width, x_stride, eps);
}

extern "C" __global__ void add_rms_norm_bfloat16(
    const __nv_bfloat16* x, __nv_bfloat16* residual, const __nv_bfloat16* weight, __nv_bfloat16* y, int rows,
    int width, long long x_stride, float eps) {
    add_and_normalise_rows(x, residual, weight, y, rows, width, x_stride, eps);
}
