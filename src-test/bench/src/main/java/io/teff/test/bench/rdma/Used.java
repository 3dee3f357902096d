package io.teff.test.bench.rdma;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a process has used up to a moment, or between two of them.
 *
 * @param ns time
 * @param cpuNs processor time of all threads
 * @param allocatedBytes of all threads
 */
record Used(long ns, long cpuNs, long allocatedBytes) {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    static Used now() {
        return new Used(System.nanoTime(), SYSTEM.getProcessCpuTime(), allocated());
    }

    /** Returns the bytes that all threads have allocated. */
    static long allocated() {
        return THREADS.getTotalThreadAllocatedBytes();
    }

    /** Returns the bytes that the calling thread has allocated. */
    static long allocatedHere() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    Used since(Used before) {
        return new Used(ns - before.ns, cpuNs - before.cpuNs, allocatedBytes - before.allocatedBytes);
    }
}
