// Each warp takes rows of its own, so the block never has to wait: no shared memory, no barrier.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__device__ void add_and_normalise_rows(
    const T* x, T* residual, const T* weight, T* y, int rows, int width, long long x_stride, float eps) {
    const int threads = blockDim.x, warps = (threads + 31) / 32;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int lanes = min(32, threads - 32 * warp);
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    for (int row = blockIdx.x * warps + warp; row < rows; row += gridDim.x * warps) {
        const T* from = x + row * x_stride;
        T* stream = residual + (long long)row * width;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int i = lane; i < width; i += lanes) {
            const float total = float(T(float(from[i]) + float(stream[i])));
            sum += total * total;
            stream[i] = T(total);
        }
        float all = 0.0f;
        for (int other = 0; other < lanes; other++) all += __shfl_sync(mask, sum, other);
        const float rstd = rsqrtf(all / width + eps);
        for (int i = lane; i < width; i += lanes) to[i] = T(float(stream[i]) * rstd * float(weight[i]));
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
