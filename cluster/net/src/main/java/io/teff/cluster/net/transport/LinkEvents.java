package io.teff.cluster.net.transport;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What happens to a link, told by its transport on the agent's thread. A link may be closed inside of each. */
public interface LinkEvents {
    /** The link can be written to. Also of a link that was accepted, first of all. */
    void connected();

    /**
     * Bytes have come.
     *
     * @param memory where they are, until the call returns
     * @param from first byte
     * @param bytes how many, at least 1
     */
    void bytes(MemorySegment memory, long from, int bytes);

    /** After a write that took less than was given: more can be written. */
    void writable();

    /**
     * The link is gone: nothing more is told.
     *
     * @param why what has failed; null if the other side has closed it
     */
    void closed(@Nullable IOException why);
}
