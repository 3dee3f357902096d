package io.teff.test.bench.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory of this process. The heap is touched as a whole at the start of the JVM, so the resident set grows only by
 * what is outside of it; what lives on the heap is counted after a collection.
 *
 * @param residentBytes resident set
 * @param heapBytes live on the heap
 */
public record ProcessMemory(long residentBytes, long heapBytes) {
    private static final int COLLECTIONS = 3;
    private static final int PAGE_BYTES = 4096;

    /** {@return what there is after a collection} */
    public static ProcessMemory now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        try {
            String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
            return new ProcessMemory(Long.parseLong(pages[1]) * PAGE_BYTES, runtime.totalMemory()
                - runtime.freeMemory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The growth.
     *
     * @param before what there was
     * @return bytes
     */
    public long since(ProcessMemory before) {
        return residentBytes - before.residentBytes + heapBytes - before.heapBytes;
    }
}
