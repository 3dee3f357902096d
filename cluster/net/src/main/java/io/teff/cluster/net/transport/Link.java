package io.teff.cluster.net.transport;

import java.lang.foreign.MemorySegment;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/** A connection of a {@link Transport}: two streams of bytes. Used by the agent of the link only. */
public interface Link {
    /**
     * Takes bytes to be sent; the caller may change the bytes when the call returns.
     *
     * @param memory of the bytes
     * @param from first byte
     * @param bytes number of bytes
     * @return the number of bytes taken; if fewer than given, {@link LinkEvents#writable} is called when more may be
     *     taken
     */
    int write(MemorySegment memory, long from, int bytes);

    /** Lets go of views of the source memory of writes, because nothing was sent for a while. */
    default void rest() {}

    /**
     * Ends the link, without waiting. No events follow. Bytes already taken are sent while the agent continues, as long
     * as the transport has time; {@link Transport#linksCutShort} counts links for which the time was too short.
     */
    void close();

    /** {@return the certificate that the other end has proven; null if the link has no TLS, or is not connected} */
    default @Nullable X509Certificate certificate() {
        return null;
    }

    /** {@return the address of the other end, for people} */
    String peer();
}
