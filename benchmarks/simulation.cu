// A fused residual add and RMSNorm, one block per row: what benchmarks/simulation_speed.py times.
#include <cuda_fp16.h>

__device__ float warp_sum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

__device__ float block_sum(float v) {
    __shared__ float part[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    v = warp_sum(v);
    if (lane == 0) part[warp] = v;
    __syncthreads();
    return warp_sum(lane < warps ? part[lane] : 0.0f);
}

extern "C" __global__ void add_rms_norm(const __half* x, const __half* residual, const __half* weight, __half* sum,
                                        __half* y, int n, float eps) {
    const size_t row = (size_t)blockIdx.x * n;
    float square = 0.0f;
    for (int c = threadIdx.x; c < n; c += blockDim.x) {
        const __half s = __float2half(__half2float(x[row + c]) + __half2float(residual[row + c]));
        sum[row + c] = s;
        square += __half2float(s) * __half2float(s);
    }
    const float rstd = rsqrtf(block_sum(square) / n + eps);
    for (int c = threadIdx.x; c < n; c += blockDim.x)
        y[row + c] = __float2half(__half2float(sum[row + c]) * rstd * __half2float(weight[c]));
}
