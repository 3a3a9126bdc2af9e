// Each warp takes rows of its own, so the block never has to wait: no shared memory, no barrier.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float warp_sum(float value) {
    float total = 0.0f;
    for (int lane = 31; lane >= 0; lane--) total += __shfl_sync(0xffffffffu, value, lane);
    return total;
}

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* gamma, const T* beta, T* y, int rows, int width, long long row_stride, float eps) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int row = blockIdx.x * warps + warp; row < rows; row += gridDim.x * warps) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float sum = 0.0f, squares = 0.0f;
        for (int i = lane; i < width; i += 32) sum += float(from[i]);
        const float mean = warp_sum(sum) / width;
        for (int i = lane; i < width; i += 32) squares += (float(from[i]) - mean) * (float(from[i]) - mean);
        const float rstd = 1.0f / sqrtf(warp_sum(squares) / width + eps);
        for (int i = lane; i < width; i += 32)
            to[i] = T(fmaf((float(from[i]) - mean) * rstd, float(gamma[i]), float(beta[i])));
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
