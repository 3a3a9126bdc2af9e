// Two shared arrays take turns, so that one barrier a row is enough: no row writes what the row before reads.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* weight, T* y, int rows, int width, long long row_stride, float eps) {
    __shared__ float partial[2][32];
    const int threads = blockDim.x, warps = (threads + 31) / 32;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int lanes = min(32, threads - 32 * warp);
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    int turn = 0;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) sum += float(from[i]) * float(from[i]);
        for (int bit = 16; bit > 0; bit /= 2) {
            const int other = lane + bit;
            const float theirs = __shfl_sync(mask, sum, other % lanes);
            sum += other < lanes ? theirs : 0.0f;
        }
        if (lane == 0) partial[turn][warp] = sum;
        __syncthreads();
        float total = 0.0f;
        for (int i = 0; i < warps; i++) total += partial[turn][i];
        turn = 1 - turn;
        const float rstd = rsqrtf(total / width + eps);
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
