package io.teff.cluster.net.transport;

import java.io.IOException;
import java.util.Set;

/**
 * Carries bytes between nodes: every byte once and in order, or the link is lost. It knows no messages.
 *
 * <p>A transport belongs to one agent: all methods but {@link #wakeUp} are called by the agent's thread only, but for
 * {@link Link#write} where it {@linkplain Capability#SENDERS_WRITE allows that}, never two at a time; and
 * everything that happens is told in {@link #poll}, on that thread. A simulator may be the agent of many.
 *
 * <p>An address begins with the scheme of its provider: {@code loop:name}, {@code tcp:host:port}.
 */
public interface Transport extends AutoCloseable {
    /**
     * Lets others connect.
     *
     * @param address where; a part may be left to the transport, such as port 0
     * @param acceptor told of each link
     * @return the address where others find it
     * @throws AddressException if it is none
     * @throws IOException if it cannot listen there
     */
    String listen(String address, Acceptor acceptor) throws IOException;

    /**
     * Tells whether only this machine reaches an address. A transport without {@link Capability#ENCRYPTED} is asked by
     * the agent before it connects, too, and must not wait for names then: they may count as ones that others reach.
     *
     * @param address that {@link #listen} would take
     * @return false if others may
     * @throws AddressException if it is none
     * @throws IOException if nobody knows
     */
    boolean isLocal(String address) throws IOException;

    /** {@return what it can do besides what each must; always the same, immutable} */
    default Set<Capability> capabilities() {
        return Set.of();
    }

    /**
     * Begins to connect. Nothing can be written before {@link LinkEvents#connected}.
     *
     * @param address that somebody listens at
     * @param events told what becomes of it
     * @return the link
     * @throws AddressException if that is none; what waits for it ends at once, unless a session goes on
     * @throws IOException if it fails at once; then nothing is told
     */
    Link connect(String address, LinkEvents events) throws IOException;

    /**
     * Does what can be done now, without waiting, and tells what has happened.
     *
     * @return how much was done, 0 for nothing
     */
    int poll();

    /**
     * Waits until there may be something to be done, or somebody has called {@link #wakeUp}. May return early.
     *
     * @param timeoutNs longest wait in nanoseconds
     */
    void await(long timeoutNs);

    /** Ends the agent's {@link #await}, now or the next. Any thread. */
    void wakeUp();

    /**
     * Lets go of a link that it has accepted: does nothing more with it, and tells nothing more of it. Called only if
     * it {@linkplain Capability#MOVES_LINKS moves links}, outside of {@link #poll}, for a link that is not over.
     *
     * @param link of this transport
     */
    default void release(Link link) {
        throw new UnsupportedOperationException("its links cannot be moved");
    }

    /**
     * Goes on with a link that another transport of the same provider has let go. What has come since, or was not told
     * yet, is told in {@link #poll}, to whom its events went before. It can be written to at once.
     *
     * @param link that was released, which this thread knows of
     * @throws IOException if that fails; then nothing is told, and the link must be closed
     */
    default void adopt(Link link) throws IOException {
        throw new UnsupportedOperationException("its links cannot be moved");
    }

    /** Closes all links and what it listens at, without telling anybody. */
    @Override
    void close();
}
