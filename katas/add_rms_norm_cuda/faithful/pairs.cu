// Two elements at a time where the addresses allow it; the sum by atomic additions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
struct alignas(2 * sizeof(T)) Pair {
    T a, b;
};

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
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * x_stride;
        T* stream = residual + (long long)row * width;
        T* to = y + (long long)row * width;
        const size_t bits = (size_t)from | (size_t)stream | (size_t)to | (size_t)weight;
        const int pairs = bits % sizeof(Pair<T>) == 0 ? width / 2 : 0;
        float sum = 0.0f;
        for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
            const Pair<T> update = ((const Pair<T>*)from)[i];
            Pair<T> total = ((const Pair<T>*)stream)[i];
            total.a = T(float(update.a) + float(total.a));
            total.b = T(float(update.b) + float(total.b));
            sum += float(total.a) * float(total.a) + float(total.b) * float(total.b);
            ((Pair<T>*)stream)[i] = total;
        }
        for (int i = 2 * pairs + threadIdx.x; i < width; i += blockDim.x) {
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
