// Two elements at a time where the row's address allows it, the odd one at the end by itself; sums in double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
struct alignas(2 * sizeof(T)) Pair {
    T a, b;
};

__device__ double block_sum(double value) {
    __shared__ double total;
    __syncthreads();
    if (threadIdx.x == 0) total = 0.0;
    __syncthreads();
    atomicAdd(&total, value);
    __syncthreads();
    return total;
}

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* weight, T* y, int rows, int width, long long row_stride, float eps) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        const int pairs = (size_t)from % sizeof(Pair<T>) == 0 ? width / 2 : 0;
        double sum = 0.0;
        for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
            const Pair<T> both = ((const Pair<T>*)from)[i];
            sum += double(float(both.a)) * float(both.a) + double(float(both.b)) * float(both.b);
        }
        for (int i = 2 * pairs + threadIdx.x; i < width; i += blockDim.x)
            sum += double(float(from[i])) * float(from[i]);
        const float rstd = float(1.0 / sqrt(block_sum(sum) / width + eps));
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            to[i] = T(float(from[i]) * rstd * float(weight[i]));
    }
}

extern "C" __global__ void rms_norm_float32(
    const float* x, const float* weight, float* y, int rows, int width, long long row_stride, float eps) {
    normalise_rows(x, weight, y, rows, width, row_stride, eps);
}

extern "C" __global__ void rms_norm_float16(
    const __half* x, const __half* weight, __half* y, int rows, int width, long long row_stride, float eps) {
    normalise_rows(x, weight, y, rows, width, row_stride, eps);
}

extern "C" __global__ void rms_norm_bfloat16(
    const __nv_bfloat16* x, const __nv_bfloat16* weight, __nv_bfloat16* y, int rows, int width,
    long long row_stride, float eps) {
    normalise_rows(x, weight, y, rows, width, row_stride, eps);
}
