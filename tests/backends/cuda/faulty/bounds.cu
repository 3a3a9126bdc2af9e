// Accesses outside an array. Before each kernel: the fault expected and the launch; FAULT marks the line.
// x holds ones; x, y: their lengths in floats; every kernel is (const float* x, float* y, int n).

// expect: out-of-bounds of x; launch: 2, 64; x: 100; y: 128; n: 128
extern "C" __global__ void read_without_guard(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];  // FAULT
}

// expect: out-of-bounds of y; launch: 2, 64; x: 128; y: 100; n: 100
extern "C" __global__ void write_without_guard(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];  // FAULT
}

// expect: out-of-bounds of x; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void read_before_start(const float* x, float* y, int n) {
    int i = threadIdx.x;
    y[i] = x[i] - x[i - 1];  // FAULT
}

// expect: out-of-bounds of x; launch: 1, 32; x: 64; y: 64; n: 1073741824
extern "C" __global__ void offset_wraps(const float* x, float* y, int n) {
    int wrapped = (int)((unsigned)(threadIdx.x + 2) * (unsigned)n);
    y[threadIdx.x] = x[wrapped];  // FAULT
}

// expect: out-of-bounds; launch: 1, 256; x: 256; y: 1; n: 256
extern "C" __global__ void shared_array_too_small(const float* x, float* y, int n) {
    __shared__ float part[4];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float v = x[threadIdx.x];
    if (lane == 0) part[warp] = v;  // FAULT
    __syncthreads();
    if (threadIdx.x == 0) y[0] = part[0] + part[3];
}

// expect: out-of-bounds of tile; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void shared_by_pointer(const float* x, float* y, int n) {
    __shared__ float tile[63];
    float* p = tile;
    p[threadIdx.x] = x[threadIdx.x];  // FAULT
    __syncthreads();
    y[threadIdx.x] = p[0];
}

// expect: out-of-bounds of scratch; launch: 1, 64, 128; x: 64; y: 64; n: 64
extern "C" __global__ void dynamic_shared_too_small(const float* x, float* y, int n) {
    extern __shared__ float scratch[];
    scratch[threadIdx.x] = x[threadIdx.x];  // FAULT
    __syncthreads();
    y[threadIdx.x] = scratch[0];
}

// expect: out-of-bounds; launch: 1, 32; x: 32; y: 32; n: 8
extern "C" __global__ void local_array(const float* x, float* y, int n) {
    float kept[4];
    for (int k = 0; k < n; k++) kept[k] = x[k];  // FAULT
    y[threadIdx.x] = kept[threadIdx.x % 4];
}

// expect: out-of-bounds of x; launch: 1, 32; x: 126; y: 128; n: 126
extern "C" __global__ void vector_load_past_tail(const float* x, float* y, int n) {
    if (threadIdx.x * 4 < n) {
        float4 v = reinterpret_cast<const float4*>(x)[threadIdx.x];  // FAULT
        y[threadIdx.x] = v.x + v.y + v.z + v.w;  // FAULT
    }
}

// expect: out-of-bounds of y; launch: 1, 32; x: 128; y: 126; n: 126
extern "C" __global__ void vector_store_past_tail(const float* x, float* y, int n) {
    if (threadIdx.x * 4 < n) {
        float4 v = reinterpret_cast<const float4*>(x)[threadIdx.x];
        reinterpret_cast<float4*>(y)[threadIdx.x] = v;  // FAULT
    }
}

// expect: out-of-bounds of x; launch: 5, 32; x: 128; y: 160; n: 32
extern "C" __global__ void one_block_too_many(const float* x, float* y, int n) {
    const float* row = x + (size_t)blockIdx.x * n;
    y[blockIdx.x * n + threadIdx.x] = row[threadIdx.x];  // FAULT
}

// expect: out-of-bounds; launch: 1, 32; x: 32; y: none; n: 32
extern "C" __global__ void null_pointer(const float* x, float* y, int n) {
    y[threadIdx.x] = x[threadIdx.x];  // FAULT
}

// expect: out-of-bounds of y; launch: 1, 32; x: 32; y: 1; n: 1
extern "C" __global__ void atomic_past_end(const float* x, float* y, int n) {
    atomicAdd(y + n, x[threadIdx.x]);  // FAULT
}
