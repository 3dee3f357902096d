package io.teff.test.links;

import org.jspecify.annotations.Nullable;

/** What simulated links need of their world: its time, its chances, and which nodes reach each other. */
public interface LinkWorld {
    /** Events at this time or later happen when cuts are mended, if at all. */
    long NEVER_NS = Long.MAX_VALUE / 2;

    /** {@return the true time in nanoseconds} */
    long nowNs();

    /** {@return how long something takes to the other end of a link, in nanoseconds} */
    long latency();

    /** {@return the additional delay of a greeting in nanoseconds; mostly 0} */
    long lateNs();

    /** {@return how many bytes a link takes that the other end has not read} */
    int sendBufferBytes();

    /**
     * Returns the number of received bytes to show at once.
     *
     * @param bytes that have arrived
     * @return at least 1
     */
    int pieceBytes(int bytes);

    /**
     * Returns the arrival time of bytes that are sent now: over a cut link they arrive after the cut is mended, or not
     * at all.
     *
     * @param from place of the sender
     * @param to place of the receiver
     * @return a time in nanoseconds, or {@link #NEVER_NS}
     */
    long arrivalNs(int from, int to);

    /**
     * Returns whether data sent by one node reaches another one.
     *
     * @param from place of the sender
     * @param to place of the receiver
     * @return false if that direction is cut
     */
    boolean isReachable(int from, int to);

    /**
     * Returns whether a dial hangs, without an answer or an error.
     *
     * @param from place of the dialing node
     * @param to place of the other one
     * @return whether it hangs
     */
    boolean isHung(int from, int to);

    /**
     * Returns where a node accepts links.
     *
     * @param place of the node
     * @return its transport; null if no process runs there
     */
    @Nullable SimTransport transport(int place);

    /**
     * Something happens at a transport.
     *
     * @param at the transport, which must be polled
     * @param ns when it happens; {@link #NEVER_NS} or later if that is not known
     */
    default void due(SimTransport at, long ns) {}

    /**
     * Bytes are written to a link.
     *
     * @param bytes may be changed
     */
    default void written(byte[] bytes) {}

    /**
     * A write was disturbed.
     *
     * @param to place of the receiver
     * @param from place of the sender
     * @param what has happened, for people
     */
    default void disturbed(int to, int from, String what) {}

    /**
     * Flips a bit.
     *
     * @param bytes are changed
     */
    default void changeBit(byte[] bytes) {}

    /**
     * Returns whether exactly one of two nodes reaches the other.
     *
     * @param one place of a node
     * @param two place of another one
     * @return whether it is so
     */
    default boolean isOneWay(int one, int two) {
        return isReachable(one, two) != isReachable(two, one);
    }
}
