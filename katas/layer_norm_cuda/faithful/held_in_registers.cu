// Each thread reads its first columns once and keeps them; only what is wider than that is read again. Both sums
// are in double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int HELD = 4;

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
    const T* x, const T* gamma, const T* beta, T* y, int rows, int width, long long row_stride, float eps) {
    const int me = threadIdx.x, threads = blockDim.x, rounds = (width + threads - 1) / threads;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float held[HELD];
        double sum = 0.0, squares = 0.0;
        for (int round = 0; round < rounds; round++) {
            const int i = round * threads + me;
            const float value = i < width ? float(from[i]) : 0.0f;
            if (round < HELD) held[round] = value;
            sum += value;
        }
        const float mean = float(block_sum(sum) / width);
        for (int round = 0; round < rounds; round++) {
            const int i = round * threads + me;
            if (i >= width) break;
            const float centred = (round < HELD ? held[round] : float(from[i])) - mean;
            squares += double(centred) * centred;
        }
        const float rstd = float(1.0 / sqrt(block_sum(squares) / width + eps));
        for (int round = 0; round < rounds; round++) {
            const int i = round * threads + me;
            if (i >= width) break;
            const float centred = (round < HELD ? held[round] : float(from[i])) - mean;
            to[i] = T(centred * rstd * float(gamma[i]) + float(beta[i]));
        }
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
