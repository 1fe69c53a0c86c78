"""The compiled libraries that this process has opened, and their kernels by name.

A library is added while the GIL is held and stays for good, as plans point into it; so it is found without a lock. One
that is added again, built anew, comes before the one of before: plans that are open keep theirs, new ones take the new.
`blocks/libraries/opening.py` looks for the file and says what is wrong with it.
"""

from cpython.mem cimport PyMem_RawMalloc
from libc.stdint cimport uintptr_t
from libc.string cimport memcmp, strcmp, strlen, strncmp

from cython_kernels.view cimport KERNEL_ABI, KernelEntry, KernelLibrary

ABI = KERNEL_ABI


cdef struct Opened:
    const KernelLibrary* library
    Opened* before


cdef Opened* newest = NULL


cdef bint find_library_kernel(const char* name, KernelEntry* k) noexcept nogil:
    """A kernel by its full name, "my_blocks.drag"."""
    cdef const Opened* at = newest
    cdef const KernelEntry* found
    while at != NULL:
        found = kernel_of(at.library, name)
        if found != NULL:
            k[0] = found[0]
            return True
        at = at.before
    return False


cdef const KernelEntry* kernel_of(const KernelLibrary* library, const char* name) noexcept nogil:
    cdef size_t length = strlen(library.name)
    cdef int i
    if strncmp(name, library.name, length) != 0 or name[length] != b".":
        return NULL
    for i in range(library.count):
        if strcmp(bare(library, library.entries[i].name), name + length + 1) == 0:
            return &library.entries[i]
    return NULL


cdef const char* bare(const KernelLibrary* library, const char* kernel) noexcept nogil:
    """A kernel's name in its library: entries give it with the name of the library before it or without."""
    cdef size_t length = strlen(library.name)
    return kernel + length + 1 if strncmp(kernel, library.name, length) == 0 and kernel[length] == b"." else kernel


cdef const KernelLibrary* at_address(uintptr_t address) except NULL:
    cdef const KernelLibrary* library = <const KernelLibrary*><void*>address
    if library == NULL or memcmp(library.magic, b"KEELLIB\0", 8) != 0:
        raise ValueError("this is no compiled library of Keelblocks")
    return library


def abi_of(uintptr_t address) -> int:
    """The ABI that the library at this address was built for. Raises ValueError if it is none."""
    return at_address(address).abi


def describe(uintptr_t address) -> dict:
    """Name, digest and kernels of the library at this address, of the ABI of this version. Raises ValueError."""
    cdef const KernelLibrary* library = at_address(address)
    cdef int i
    if library.abi != KERNEL_ABI:
        raise ValueError(f"it was built for ABI {library.abi}, and this is ABI {KERNEL_ABI}")
    return {
        "name": library.name.decode(),
        "digest": library.digest.decode(),
        "kernels": tuple(bare(library, library.entries[i].name).decode() for i in range(library.count)),
        "checked": any(library.entries[i].checked for i in range(library.count)),
    }


def add(uintptr_t address) -> None:
    """Let plans find the kernels of the library at this address, which stays open from now on."""
    global newest
    cdef const KernelLibrary* library = at_address(address)
    cdef Opened* opened
    if library.abi != KERNEL_ABI:
        raise ValueError(f"it was built for ABI {library.abi}, and this is ABI {KERNEL_ABI}")
    opened = <Opened*>PyMem_RawMalloc(sizeof(Opened))
    if opened == NULL:
        raise MemoryError()
    opened.library = library
    opened.before = newest
    newest = opened
