// LayerNorm (Ba, Kiros and Hinton, 2016) in one kernel: y = gamma * (x - mean) / sqrt(variance + eps) + beta.
// A block takes a row at a time and passes over it three times. Any grid; blockDim.x is a multiple of 32.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Sum over the warp, the same in every lane.
__device__ float warp_sum(float value) {
    for (int bit = 16; bit > 0; bit /= 2) value += __shfl_xor_sync(0xffffffffu, value, bit);
    return value;
}

// Sum over the block, the same in every thread. scratch: one number for each warp.
__device__ float block_sum(float value, float* scratch) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    value = warp_sum(value);
    __syncthreads();  // scratch may still be being read for the sum before this one
    if (lane == 0) scratch[warp] = value;
    __syncthreads();
    value = lane < warps ? scratch[lane] : 0.0f;
    return warp_sum(value);
}

// Column i of a row, 0 beyond its end.
template <typename T>
__device__ float load(const T* from, int i, int width) {
    return i < width ? float(from[i]) : 0.0f;
}

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* gamma, const T* beta, T* y, int rows, int width, long long row_stride, float eps) {
    __shared__ float scratch[32];  // for the largest block, 1024 threads
    const int threads = blockDim.x;
    const int rounds = (width + threads - 1) / threads;  // the last one may be partial
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int round = 0; round < rounds; round++) sum += load(from, round * threads + threadIdx.x, width);
        const float mean = block_sum(sum, scratch) / width;
        float squares = 0.0f;
        for (int round = 0; round < rounds; round++) {
            const int i = round * threads + threadIdx.x;
            // Beyond the end of the row the centred value is 0, not 0 - mean.
            const float centred = i < width ? load(from, i, width) - mean : 0.0f;
            squares += centred * centred;
        }
        const float variance = block_sum(squares, scratch) / width;
        const float rstd = rsqrtf(variance + eps);
        for (int i = threadIdx.x; i < width; i += threads) {
            const float normalised = (float(from[i]) - mean) * rstd;
            to[i] = T(normalised * float(gamma[i]) + float(beta[i]));
        }
    }
}

// x: (rows, width), its rows row_stride elements apart; gamma, beta: (width,); y: (rows, width), contiguous.
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
