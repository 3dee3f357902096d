package io.teff.nio.selector.link;

import java.lang.foreign.MemorySegment;

/** Memory with arrived bytes of a link, from {@link #from} to {@link #to}. */
final class Slab {
    final MemorySegment memory;
    int from;
    int to;

    Slab(MemorySegment memory) {
        this.memory = memory;
    }

    int room() {
        return (int) memory.byteSize() - to;
    }
}
