package io.teff.test.bench.session;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** What the JVM of one contender is to do, and its share of the memory, which is the same in all for everybody. */
public interface ProcessPlan {
    /** The heap of those whose entries lie outside of it. */
    long HEAP_BYTES_OFF_HEAP = 512L << 20;

    /** {@return who is measured} */
    Contender kind();

    /** {@return memory of the process in all; 1 GiB if it has no entries} */
    default long memoryBytes() {
        return 1L << 30;
    }

    /** {@return the command line for {@link io.teff.test.bench.BenchCommand}, without the file for the figures} */
    List<String> arguments();

    /** {@return name of the file for what the process prints, without its ending} */
    default String logName() {
        return kind().id();
    }

    /** {@return the Java heap: all of it for a store on the heap, else what the measuring needs} */
    default long heapBytes() {
        return kind().isOffHeap() ? HEAP_BYTES_OFF_HEAP : memoryBytes();
    }

    /** {@return what the store may take outside of the heap} */
    default long storeBytes() {
        return memoryBytes() - HEAP_BYTES_OFF_HEAP;
    }
}
