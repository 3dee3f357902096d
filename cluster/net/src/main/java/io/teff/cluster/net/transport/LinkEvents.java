package io.teff.cluster.net.transport;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Takes the events of a link, called by the link's transport on the agent's thread. Each method may close the link. */
public interface LinkEvents {
    /** Called when the link can be written to; also the first event of an accepted link. */
    void connected();

    /**
     * Called when bytes have arrived.
     *
     * @param memory of the bytes, valid until the call returns
     * @param from first byte
     * @param bytes number of bytes, at least 1
     */
    void bytes(MemorySegment memory, long from, int bytes);

    /** Called when more bytes can be written, after a write that took fewer bytes than given. */
    void writable();

    /**
     * Called when the link has ended; no events follow.
     *
     * @param why the failure; null if the other side has closed the link
     */
    void closed(@Nullable IOException why);
}
