package io.teff.cluster.operation;

import java.lang.foreign.MemorySegment;

/** The way back to the sender of a request. Used once, by any thread. */
interface Reply {
    /** Answers; the bytes may be used again when this returns. */
    void answer(MemorySegment memory, int length);

    /** Ends the request without an answer. */
    void fail(String why);
}
