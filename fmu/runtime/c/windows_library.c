/* What the C library of Windows lacks, for zig on x86_64: see windows_library.py. */

/* Windows makes a stack grow page by page. A function whose frame is larger than a page first has each page touched, from
   above: rax says the size, and all registers are to be as they were. */
__asm__(
    ".text\n"
    ".globl ___chkstk_ms\n"
    "___chkstk_ms:\n"
    "pushq %rcx\n"
    "pushq %rax\n"
    "leaq 24(%rsp), %rcx\n" /* the caller's rsp: above these two and the return address */
    "1:\n"
    "cmpq $4096, %rax\n"
    "jb 2f\n"
    "subq $4096, %rcx\n"
    "orb $0, (%rcx)\n"
    "subq $4096, %rax\n"
    "jmp 1b\n"
    "2:\n"
    "subq %rax, %rcx\n"
    "orb $0, (%rcx)\n"
    "popq %rax\n"
    "popq %rcx\n"
    "retq\n");
