// Each of the two sums has a scratch array of its own, so that one barrier for each is enough: whoever writes the one
// array again has passed the barrier of the other, and everybody has read the one before it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ float block_sum(float value, float* scratch) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
    if (lane == 0) scratch[warp] = value;
    __syncthreads();
    float total = 0.0f;
    for (int i = 0; i < warps; i++) total += scratch[i];
    return total;
}

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* gamma, const T* beta, T* y, int rows, int width, long long row_stride, float eps) {
    __shared__ float sums[32], squares[32];
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) sum += float(from[i]);
        const float mean = block_sum(sum, sums) / width;
        float square = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            const float centred = float(from[i]) - mean;
            square += centred * centred;
        }
        const float rstd = rsqrtf(block_sum(square, squares) / width + eps);
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
