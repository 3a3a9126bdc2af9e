// Each thread sums a run of neighbouring columns, from the last to the first, and thread 0 adds the runs up.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* weight, T* y, int rows, int width, long long row_stride, float eps) {
    __shared__ float runs[1024];
    __shared__ float rstd;
    const int me = threadIdx.x, threads = blockDim.x;
    const int length = (width + threads - 1) / threads;
    const int begin = min(width, me * length), end = min(width, begin + length);
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int i = end - 1; i >= begin; i--) sum = fmaf(float(from[i]), float(from[i]), sum);
        runs[me] = sum;
        __syncthreads();
        if (me == 0) {
            float total = 0.0f;
            for (int i = threads - 1; i >= 0; i--) total += runs[i];
            rstd = 1.0f / sqrtf(total * (1.0f / width) + eps);
        }
        __syncthreads();
        for (int i = begin; i < end; i++) to[i] = T(float(weight[i]) * (float(from[i]) * rstd));
        __syncthreads();  // runs and rstd are written again for the next row
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
