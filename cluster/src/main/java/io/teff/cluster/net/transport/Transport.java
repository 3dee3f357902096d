package io.teff.cluster.net.transport;

import java.io.IOException;

/**
 * Carries bytes between nodes: every byte once and in order, or the link is lost. It knows no messages.
 *
 * <p>A transport belongs to one agent: all methods but {@link #wakeUp} are called by the agent's thread only, and
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
     * @throws IOException if it cannot listen there
     */
    String listen(String address, Acceptor acceptor) throws IOException;

    /**
     * Tells whether only this machine reaches an address.
     *
     * @param address that {@link #listen} would take
     * @return false if others may
     * @throws IOException if it cannot be one
     */
    boolean isLocal(String address) throws IOException;

    /**
     * Tells whether others on the way can neither read nor change what its links carry. Where TLS is asked for, one of
     * which this is not so is for addresses of this machine only.
     *
     * @return true if so
     */
    default boolean isEncrypted() {
        return false;
    }

    /**
     * Begins to connect. Nothing can be written before {@link LinkEvents#connected}.
     *
     * @param address that somebody listens at
     * @param events told what becomes of it
     * @return the link
     * @throws IOException if it fails at once, as where the address cannot be one; then nothing is told
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

    /** Closes all links and what it listens at, without telling anybody. */
    @Override
    void close();
}
