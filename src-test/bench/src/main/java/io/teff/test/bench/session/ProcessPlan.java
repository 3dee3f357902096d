package io.teff.test.bench.session;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** The plan of the JVM of one contender, and its share of the memory, whose total is the same for all. */
public interface ProcessPlan {
    /** The heap of contenders whose entries lie outside of it. */
    long HEAP_BYTES_OFF_HEAP = 512L << 20;

    /** {@return the contender} */
    Contender kind();

    /** {@return total memory of the process; 1 GiB if it has no entries} */
    default long memoryBytes() {
        return 1L << 30;
    }

    /** {@return the command line for {@link io.teff.test.bench.BenchCommand}, without the file for the figures} */
    List<String> arguments();

    /** {@return flags of the JVM that the measurement needs for all contenders alike} */
    default List<String> flags() {
        return List.of();
    }

    /** {@return name of the file for the output of the process, without its extension} */
    default String logName() {
        return kind().id();
    }

    /** {@return the Java heap: the total for a store on the heap, otherwise the need of the measurement} */
    default long heapBytes() {
        return kind().isOffHeap() ? HEAP_BYTES_OFF_HEAP : memoryBytes();
    }

    /** {@return the memory that the store may take outside of the heap} */
    default long storeBytes() {
        return memoryBytes() - HEAP_BYTES_OFF_HEAP;
    }
}
