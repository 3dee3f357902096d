package io.teff.rdma.ffi;

/**
 * The seam for time in the bindings: the one place that reads the clock of the system. The bindings stand on the JDK
 * alone, so they do not use the clock of the engine. Implementations are thread-safe.
 */
@FunctionalInterface
public interface NanoClock {
    /** The clock of this JVM. */
    NanoClock SYSTEM = System::nanoTime;

    /**
     * Reads a monotonic clock with an arbitrary origin.
     *
     * @return nanoseconds; compare by subtraction
     */
    long nowNs();
}
