package io.teff.cluster.net.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries bytes between nodes: every byte once and in order, or the link is lost. A transport knows no messages.
 *
 * <p>A transport belongs to one agent: all methods except {@link #wakeUp} are called by the agent's thread only.
 * {@link Link#write} is a second exception if {@linkplain Capability#SENDERS_WRITE senders may write}, but two threads
 * never write at the same time; all events are reported in {@link #poll}, on the agent's thread. A simulator may be the
 * agent of many transports.
 *
 * <p>An address begins with the scheme of its provider: {@code loop:name}, {@code tcp:host:port}.
 */
public interface Transport extends AutoCloseable {
    /**
     * Listens for links of other nodes.
     *
     * @param address to listen at; a part may be left to the transport, such as port 0
     * @param acceptor takes each link
     * @return the address at which other nodes find the listening transport
     * @throws AddressException if the text is not an address
     * @throws IOException if the transport cannot listen at the address
     */
    String listen(String address, Acceptor acceptor) throws IOException;

    /**
     * Returns whether only this machine reaches an address. For a transport without {@link Capability#ENCRYPTED} the
     * agent also asks before connecting; then the call must not wait for names. A name may count as reachable by other
     * machines.
     *
     * @param address as for {@link #listen}
     * @return false if other machines may reach the address
     * @throws AddressException if the text is not an address
     * @throws IOException if the reach of the address is unknown
     */
    boolean isLocal(String address) throws IOException;

    /** {@return the optional capabilities; constant, immutable} */
    default Set<Capability> capabilities() {
        return Set.of();
    }

    /**
     * Returns the name of the host in an address. The agent looks the name up, and connects to the address with a
     * number in place of the name: a name may have several addresses.
     *
     * @param address of a listener
     * @return the name; null if the address has the number of a host, or no host
     * @throws AddressException if the text is not an address
     * @throws IOException if the transport cannot be used
     */
    default @Nullable String hostName(String address) throws IOException {
        return null;
    }

    /**
     * Returns an address with the number of a host in place of the name.
     *
     * @param address with a {@link #hostName}
     * @param host one of the addresses of the name
     * @return the address for {@link #connect}
     * @throws IOException if the text is not an address
     */
    default String numbered(String address, InetAddress host) throws IOException {
        throw new AddressException(address + " has no name");
    }

    /**
     * Begins to connect. Nothing can be written before {@link LinkEvents#connected}.
     *
     * @param address of a listener, without a {@link #hostName}
     * @param events takes the events of the link
     * @return the link
     * @throws AddressException if the text is not an address; then messages waiting for the link end at once, unless a
     *     session continues
     * @throws IOException if connecting fails at once; then there are no events
     */
    Link connect(String address, LinkEvents events) throws IOException;

    /**
     * Does all work possible without waiting, and reports events.
     *
     * @return units of work done, 0 if idle
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
     * Releases an accepted link: the transport does nothing more with the link, and reports no more events of the link.
     * Called only if the transport {@linkplain Capability#MOVES_LINKS moves links}, outside {@link #poll}, for a link
     * that has not ended.
     *
     * @param link of this transport
     */
    default void release(Link link) {
        throw new UnsupportedOperationException("its links cannot be moved");
    }

    /**
     * Adopts a link released by another transport of the same provider. Events since then, or not reported before, are
     * reported in {@link #poll}, to the same receiver. The link can be written to at once.
     *
     * @param link released before, safely published to this thread
     * @throws IOException if the link cannot be adopted; then there are no events, and the link must be closed
     */
    default void adopt(Link link) throws IOException {
        throw new UnsupportedOperationException("its links cannot be moved");
    }

    /**
     * Returns the number of links closed by this transport whose peer may miss the last bytes, because the transport's
     * time for the bytes was over. A transport that hands bytes to the system, such as TCP, does not know the number,
     * and returns 0. Any thread; also when the transport is closed.
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
