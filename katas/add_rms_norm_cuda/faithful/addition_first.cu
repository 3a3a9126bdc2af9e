// Two passes that share nothing but memory: the whole addition, then the norm as a kernel of its own would read it,
// each thread a run of neighbouring columns. The sum is in double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ double block_sum(double value) {
    __shared__ double runs[1024];
    runs[threadIdx.x] = value;
    __syncthreads();
    double total = 0.0;
    for (int i = blockDim.x - 1; i >= 0; i--) total += runs[i];
    __syncthreads();
    return total;
}

template <typename T>
__device__ void add_and_normalise_rows(
    const T* x, T* residual, const T* weight, T* y, int rows, int width, long long x_stride, float eps) {
    const int me = threadIdx.x, threads = blockDim.x;
    const int length = (width + threads - 1) / threads;
    const int begin = min(width, me * length), end = min(width, begin + length);
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * x_stride;
        T* stream = residual + (long long)row * width;
        T* to = y + (long long)row * width;
        for (int i = me; i < width; i += threads) stream[i] = T(float(from[i]) + float(stream[i]));
        __syncthreads();  // from here on a thread reads what others have written
        double sum = 0.0;
        for (int i = begin; i < end; i++) sum += double(float(stream[i])) * float(stream[i]);
        const float rstd = float(1.0 / sqrt(block_sum(sum) / width + eps));
        for (int i = begin; i < end; i++) to[i] = T(float(stream[i]) * rstd * float(weight[i]));
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
