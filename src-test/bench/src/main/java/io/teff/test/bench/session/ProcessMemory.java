package io.teff.test.bench.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory of this process. The heap is touched as a whole at the start of the JVM, so the resident set grows only by
 * memory outside of it; the live bytes on the heap are those left by a collection, without the allocation buffers that
 * threads have taken since. Freed memory is returned to the system first: otherwise the C library would keep it, and
 * later allocations would reuse it unnoticed.
 *
 * @param residentBytes resident set
 * @param heapBytes live on the heap
 */
public record ProcessMemory(long residentBytes, long heapBytes) {
    private static final int COLLECTIONS = 3;
    /** Buffers are freed by a thread of the JVM some time after the garbage was collected. */
    private static final long SETTLE_NS = 50_000_000;
    private static final int PAGE_BYTES = 4096;

    /** {@return the memory after a collection} */
    public static ProcessMemory now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            LockSupport.parkNanos(SETTLE_NS);
        }
        JvmCommand.run("systemTrimNativeHeap");
        long heapBytes = ManagementFactory.getMemoryPoolMXBeans().stream().filter(it -> it.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getCollectionUsage).filter(Objects::nonNull).mapToLong(MemoryUsage::getUsed).sum();
        try {
            String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
            return new ProcessMemory(Long.parseLong(pages[1]) * PAGE_BYTES, heapBytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the growth.
     *
     * @param before the memory before
     * @return bytes
     */
    public long since(ProcessMemory before) {
        return residentBytes - before.residentBytes + heapBytes - before.heapBytes;
    }
}
