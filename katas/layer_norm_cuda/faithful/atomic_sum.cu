// The block's sums by atomic additions: the order of summation is the schedule's.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float block_sum(float value) {
    __shared__ float total;
    __syncthreads();  // the last call's total has been read
    if (threadIdx.x == 0) total = 0.0f;
    __syncthreads();
    atomicAdd(&total, value);
    __syncthreads();
    return total;
}

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* gamma, const T* beta, T* y, int rows, int width, long long row_stride, float eps) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) sum += float(from[i]);
        const float mean = block_sum(sum) / width;
        float squares = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            const float centred = float(from[i]) - mean;
            squares += centred * centred;
        }
        const float rstd = rsqrtf(block_sum(squares) / width + eps);
        for (int i = threadIdx.x; i < width; i += blockDim.x)
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
