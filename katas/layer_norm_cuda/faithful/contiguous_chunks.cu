// Each thread sums a run of neighbouring columns, and thread 0 adds the runs up.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float block_sum(float value) {
    __shared__ float runs[1024];
    __shared__ float total;
    runs[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int i = 0; i < blockDim.x; i++) sum += runs[i];
        total = sum;
    }
    __syncthreads();
    return total;
}

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* gamma, const T* beta, T* y, int rows, int width, long long row_stride, float eps) {
    const int me = threadIdx.x, threads = blockDim.x;
    const int length = (width + threads - 1) / threads;
    const int begin = min(width, me * length), end = min(width, begin + length);
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float sum = 0.0f, squares = 0.0f;
        for (int i = begin; i < end; i++) sum += float(from[i]);
        const float mean = block_sum(sum) * (1.0f / width);
        for (int i = begin; i < end; i++) squares = fmaf(float(from[i]) - mean, float(from[i]) - mean, squares);
        const float rstd = rsqrtf(block_sum(squares) * (1.0f / width) + eps);
        for (int i = begin; i < end; i++)
            to[i] = T((float(from[i]) - mean) * rstd * float(gamma[i]) + float(beta[i]));
    }
}

extern "C" __global__ void layer_norm_float32(
    const float* x, const float* gamma, const float* beta, float* y, int rows, int width, long long row_stride,
    float eps) {
    normalise_rows(x, gamma, beta, y, rows, width, row_stride, eps);
}

extern "C" __global__ void layer_norm_float16(
    const __half* x, const __half* gamma, const __half* beta, __half* y, int rows, int width,
    long long row_stride, float eps) {
    normalise_rows(x, gamma, beta, y, rows, width, row_stride, eps);
}

extern "C" __global__ void layer_norm_bfloat16(
    const __nv_bfloat16* x, const __nv_bfloat16* gamma, const __nv_bfloat16* beta, __nv_bfloat16* y, int rows,
    int width, long long row_stride, float eps) {
    normalise_rows(x, gamma, beta, y, rows, width, row_stride, eps);
}
