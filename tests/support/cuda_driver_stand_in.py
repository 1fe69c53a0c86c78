"""A stand-in for the CUDA driver: what `benchmarks/gpu` calls, in the processor's memory, with kernels of a model.

Its functions are declared as in cuda.h. It is no GPU: that a card computes the same, it cannot tell.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.gpu.processor import library, with_what_cuda_has

_DRIVER = """
#include <stdlib.h>
typedef int CUresult, CUdevice;
typedef struct Context *CUcontext;
typedef struct Module *CUmodule;
typedef struct Function *CUfunction;
typedef struct Stream *CUstream;
typedef struct Event *CUevent;
typedef unsigned long long CUdeviceptr;

static int launches = 0;
extern "C" {
CUresult cuInit(unsigned int flags) { return flags == 0 ? 0 : 1; }
CUresult cuGetErrorString(CUresult error, const char **text)
{ *text = error == 100 ? "no CUDA-capable device is detected" : "invalid argument"; return 0; }
CUresult cuDeviceGetCount(int *count) { *count = 1; return 0; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { *device = 7; return ordinal; }
CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{ strncpy(name, "Stand-in", (size_t)length); return device == 7 ? 0 : 101; }
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice)
{
    switch (attribute) {
    case 13: *value = 1410000; return 0;
    case 16: *value = 108; return 0;
    case 36: *value = 1215000; return 0;
    case 37: *value = 5120; return 0;
    case 38: *value = 41943040; return 0;
    case 39: *value = 2048; return 0;
    case 75: *value = 8; return 0;
    case 76: *value = 0; return 0;
    case 87: *value = 2; return 0;
    default: return 1;
    }
}
CUresult cuDriverGetVersion(int *version) { *version = 13010; return 0; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) { *context = (CUcontext)64; return 0; }
CUresult cuCtxSetCurrent(CUcontext context) { return context == (CUcontext)64 ? 0 : 201; }
CUresult cuMemGetInfo_v2(size_t *free, size_t *total) { *free = 1000000; *total = 2000000; return 0; }
CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t size)
{
    void *made = malloc(size);
    memset(made, 0xff, size);
    *pointer = (CUdeviceptr)made;
    return 0;
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) { memcpy((void *)to, from, size); return 0; }
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) { memcpy(to, (const void *)from, size); return 0; }
CUresult cuModuleLoadData(CUmodule *module, const void *image)
{ *module = (CUmodule)65; return memcmp(image, "\\177ELF", 4) == 0 ? 0 : 200; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    if (module != (CUmodule)65) return 400;
    if (strcmp(name, "NAME_all_set_defaults") == 0) *function = (CUfunction)1;
    else if (strcmp(name, "NAME_all_start") == 0) *function = (CUfunction)2;
    else if (strcmp(name, "NAME_all_step") == 0) *function = (CUfunction)3;
    else return 500;
    return 0;
}
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction)
{ *value = attribute == 4 ? 168 : attribute == 3 ? 13888 : -1; return *value < 0; }
CUresult cuEventCreate(CUevent *event, unsigned int flags) { *event = (CUevent)(flags + 66u); return 0; }
CUresult cuEventRecord(CUevent event, CUstream stream)
{ return event == (CUevent)66 && stream == NULL ? 0 : 400; }
CUresult cuEventSynchronize(CUevent) { return 0; }
CUresult cuEventElapsedTime(float *milliseconds, CUevent, CUevent) { *milliseconds = 20.0f; return 0; }
CUresult cuEventDestroy_v2(CUevent) { return 0; }
CUresult cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
    unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void **given, void **extra)
{
    if (gy * gz * by * bz != 1 || bx > 128 || shared != 0 || stream != NULL || extra != NULL) return 1;
    launches += 1;
    gridDim.x = gx;
    blockDim.x = bx;
    for (blockIdx.x = 0; blockIdx.x < gx; blockIdx.x += 1) {
        for (threadIdx.x = 0; threadIdx.x < bx; threadIdx.x += 1) {
            double *models = *(double **)given[0];
            if (function == (CUfunction)1) {
                NAME_all_set_defaults(models, *(long long *)given[1]);
            } else if (function == (CUfunction)2) {
                NAME_all_start(models, *(int **)given[1], *(long long *)given[2]);
            } else {
                NAME_all_step(models, *(int **)given[1], *(long long *)given[2], *(long long *)given[3]);
            }
        }
    }
    return 0;
}
}
"""


def driver_with(source: str, name: str, folder: Path) -> Path:
    """A library like libcuda that runs the kernels of this CUDA C++."""
    library(with_what_cuda_has(source, name) + _DRIVER.replace("NAME", name), folder, ("-O1", "-w"), "stand_in")
    return folder / "stand_in.so"
