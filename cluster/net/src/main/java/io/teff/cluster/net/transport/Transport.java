package io.teff.cluster.net.transport;

import java.io.IOException;
import java.util.Set;

/**
 * Carries bytes between nodes: every byte once and in order, or the link is lost. It knows no messages.
 *
 * <p>A transport belongs to one agent: all methods but {@link #wakeUp} are called by the agent's thread only, except
 * {@link Link#write} if it {@linkplain Capability#SENDERS_WRITE allows that}, never two at a time; and all events are
 * reported in {@link #poll}, on that thread. A simulator may be the agent of many transports.
 *
 * <p>An address begins with the scheme of its provider: {@code loop:name}, {@code tcp:host:port}.
 */
public interface Transport extends AutoCloseable {
    /**
     * Listens for links of others.
     *
     * @param address to listen at; a part may be left to the transport, such as port 0
     * @param acceptor takes each link
     * @return the address at which other nodes find it
     * @throws AddressException if the text is not an address
     * @throws IOException if it cannot listen there
     */
    String listen(String address, Acceptor acceptor) throws IOException;

    /**
     * Returns whether only this machine reaches an address. For a transport without {@link Capability#ENCRYPTED} the
     * agent also asks before it connects; then the call must not wait for names, which may count as reachable by
     * others.
     *
     * @param address that {@link #listen} would take
     * @return false if other machines may reach it
     * @throws AddressException if the text is not an address
     * @throws IOException if that is unknown
     */
    boolean isLocal(String address) throws IOException;

    /** {@return the optional capabilities; constant, immutable} */
    default Set<Capability> capabilities() {
        return Set.of();
    }

    /**
     * Begins to connect. Nothing can be written before {@link LinkEvents#connected}.
     *
     * @param address of a listener
     * @param events takes the events of the link
     * @return the link
     * @throws AddressException if the text is not an address; then messages that wait for the link end at once, unless
     *     a session continues
     * @throws IOException if it fails at once; then there are no events
     */
    Link connect(String address, LinkEvents events) throws IOException;

    /**
     * Does the work that is possible without waiting, and reports events.
     *
     * @return units of work done, 0 for none
     */
    int poll();

    /**
     * Waits until there may be something to do, or {@link #wakeUp} was called. May return early.
     *
     * @param timeoutNs longest wait in nanoseconds
     */
    void await(long timeoutNs);

    /** Ends the agent's {@link #await}, the current or the next. Any thread. */
    void wakeUp();

    /**
     * Releases an accepted link: does nothing more with it, and reports no more events of it. Called only if it
     * {@linkplain Capability#MOVES_LINKS moves links}, outside {@link #poll}, for a link that has not ended.
     *
     * @param link of this transport
     */
    default void release(Link link) {
        throw new UnsupportedOperationException("its links cannot be moved");
    }

    /**
     * Adopts a link that another transport of the same provider has released. Events since then, or not reported
     * before, are reported in {@link #poll}, to the same receiver. The link can be written to at once.
     *
     * @param link that was released, safely published to this thread
     * @throws IOException if that fails; then there are no events, and the link must be closed
     */
    default void adopt(Link link) throws IOException {
        throw new UnsupportedOperationException("its links cannot be moved");
    }

    /**
     * Returns how many links were closed here whose peer may miss the last bytes, because the transport's time for
     * them was over. A transport that hands bytes to the system, as TCP, does not know, and returns 0. Any thread; also
     * when the transport is closed.
     *
     * @return the count since the transport was opened
     */
    default long linksCutShort() {
        return 0;
    }

    /** Closes all links and listeners, without events; may wait a bounded time for the last bytes. */
    @Override
    void close();
}
