"""A heap of arcs by their slack; of equals, the one that came first comes first."""

cdef struct Entry:
    long long key
    int number      # unique
    int arc

cdef struct Heap:
    Entry* entries
    int count


cdef inline bint is_before(const Entry* one, const Entry* other) noexcept nogil:
    return one.key < other.key or (one.key == other.key and one.number < other.number)


cdef inline void push(Heap* heap, Entry entry) noexcept nogil:
    cdef int i = heap.count
    heap.count += 1
    while i > 0 and is_before(&entry, &heap.entries[(i - 1) // 2]):
        heap.entries[i] = heap.entries[(i - 1) // 2]
        i = (i - 1) // 2
    heap.entries[i] = entry


cdef inline void pop(Heap* heap) noexcept nogil:
    """Take the first out."""
    cdef Entry last
    cdef int i = 0
    cdef int child = 1
    heap.count -= 1
    last = heap.entries[heap.count]
    while child < heap.count:
        if child + 1 < heap.count and is_before(&heap.entries[child + 1], &heap.entries[child]):
            child += 1
        if not is_before(&heap.entries[child], &last):
            break
        heap.entries[i] = heap.entries[child]
        i = child
        child = 2 * i + 1
    heap.entries[i] = last
