package io.teff.recovery.backup;

import java.lang.foreign.MemorySegment;

/** Receives runs. */
@FunctionalInterface
public interface RunSink {
    /**
     * Receives a run: whole records of a copy. The numbers follow the numbers of the run before.
     *
     * @param bytes hold the run until the call returns
     * @param offset of its first byte
     * @param length of the run in bytes, at most {@link RunWriter#RUN_BYTES_MAX}
     */
    void run(MemorySegment bytes, long offset, long length);
}
