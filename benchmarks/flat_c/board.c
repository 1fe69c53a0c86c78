/* The model on a Cortex-M4 without an operating system: inputs come and outputs go by semihosting, step by step.
 *
 * With -DCOUNTED each answer has how many additions, multiplications, divisions and comparisons of doubles it took.
 * Compiled with -DMODEL_HEADER="\"name.h\"", -DMODEL(x)=name_##x, -DIN and -DOUT, the names of two pipes on the host.
 */
#include MODEL_HEADER

#include <stdint.h>
#include <string.h>

enum { SYS_OPEN = 1, SYS_WRITE = 5, SYS_READ = 6, SYS_EXIT = 24, READ_BINARY = 1, WRITE_BINARY = 5 };

static MODEL(model) model;

#ifdef COUNTED      /* what the compiler's arithmetic is asked for: linked with --wrap */
static uint32_t counted[4];
#define WRAPPED(place, type, name) \
    type __real___aeabi_##name(double a, double b); \
    type __wrap___aeabi_##name(double a, double b); \
    type __wrap___aeabi_##name(double a, double b) { counted[place]++; return __real___aeabi_##name(a, b); }
WRAPPED(0, double, dadd)
WRAPPED(0, double, dsub)
WRAPPED(1, double, dmul)
WRAPPED(2, double, ddiv)
WRAPPED(3, int, dcmpeq)
WRAPPED(3, int, dcmplt)
WRAPPED(3, int, dcmple)
WRAPPED(3, int, dcmpge)
WRAPPED(3, int, dcmpgt)
WRAPPED(3, int, dcmpun)
#endif

struct answer {
    MODEL(outputs) outputs;
#ifdef COUNTED
    uint32_t counted[4];
#endif
    double time;
    double status;
};

static int semihosting(int call, const void *arguments)
{
    register int r0 __asm__("r0") = call;
    register const void *r1 __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static int opened(const char *name, int mode)
{
    const uint32_t arguments[3] = {(uint32_t)name, (uint32_t)mode, (uint32_t)strlen(name)};
    return semihosting(SYS_OPEN, arguments);
}

/* True if all of it came or went. */
static int moved(int call, int file, void *data, uint32_t size)
{
    while (size > 0) {
        const uint32_t arguments[3] = {(uint32_t)file, (uint32_t)data, size};
        const uint32_t left = (uint32_t)semihosting(call, arguments);
        if (left >= size) {
            return 0;
        }
        data = (char *)data + (size - left);
        size = left;
    }
    return 1;
}

int main(void)
{
    const int in = opened(IN, READ_BINARY), out = opened(OUT, WRITE_BINARY);
    struct answer answer;
    (void)MODEL(init)(&model);
    while (moved(SYS_READ, in, &model.inputs, sizeof model.inputs)) {
#ifdef COUNTED
        memset(counted, 0, sizeof counted);
#endif
        answer.status = MODEL(step)(&model);
#ifdef COUNTED
        memcpy(answer.counted, counted, sizeof counted);
#endif
        answer.outputs = model.outputs;
        answer.time = MODEL(time)(&model);
        if (!moved(SYS_WRITE, out, &answer, sizeof answer)) {
            break;
        }
    }
    return 0;
}

extern uint32_t data_begin, data_end, data_stored, bss_begin, bss_end, stack_top;

void reset(void)
{
    memcpy(&data_begin, &data_stored, (uint32_t)((char *)&data_end - (char *)&data_begin));
    memset(&bss_begin, 0, (uint32_t)((char *)&bss_end - (char *)&bss_begin));
    (void)main();
    (void)semihosting(SYS_EXIT, (const void *)0x20026);
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {&stack_top, (const void *)reset};
