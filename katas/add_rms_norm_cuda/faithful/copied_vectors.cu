// 16 bytes at a time through memcpy, which takes any address: the rows need no alignment, the tail is a shorter copy.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float block_sum(float value) {
    __shared__ float total;
    __syncthreads();  // the last row's total has been read
    if (threadIdx.x == 0) total = 0.0f;
    __syncthreads();
    atomicAdd(&total, value);
    __syncthreads();
    return total;
}

template <typename T>
__device__ void add_and_normalise_rows(
    const T* x, T* residual, const T* weight, T* y, int rows, int width, long long x_stride, float eps) {
    constexpr int SIZE = 16 / sizeof(T);
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * x_stride;
        T* stream = residual + (long long)row * width;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int first = SIZE * threadIdx.x; first < width; first += SIZE * blockDim.x) {
            const int count = min(SIZE, width - first);
            T update[SIZE], total[SIZE];
            memcpy(update, from + first, count * sizeof(T));
            memcpy(total, stream + first, count * sizeof(T));
            for (int k = count - 1; k >= 0; k--) {
                total[k] = T(float(update[k]) + float(total[k]));
                sum = fmaf(float(total[k]), float(total[k]), sum);
            }
            memcpy(stream + first, total, count * sizeof(T));
        }
        const float rstd = 1.0f / sqrtf(block_sum(sum) / width + eps);
        for (int first = SIZE * threadIdx.x; first < width; first += SIZE * blockDim.x) {
            const int count = min(SIZE, width - first);
            T out[SIZE];
            for (int k = 0; k < count; k++) out[k] = T(float(weight[first + k]) * (float(stream[first + k]) * rstd));
            memcpy(to + first, out, count * sizeof(T));
        }
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
