package io.teff.rdma.verbs.queue;

import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.PathAddress;
import io.teff.rdma.verbs.device.PathMtu;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A change of the state and the attributes of a queue pair. The service decides which attributes a move needs and
 * allows; {@link QueuePair#initialize} and {@link QueuePair#connect} know the usual ones. Belongs to one thread at a
 * time.
 */
public final class QueuePairChange {
    private static final int STATE = 1;
    private static final int ACCESS = 1 << 3;
    private static final int PARTITION = 1 << 4;
    private static final int PORT = 1 << 5;
    private static final int QUEUE_KEY = 1 << 6;
    private static final int PATH = 1 << 7;
    private static final int MTU = 1 << 8;
    private static final int TIMEOUT = 1 << 9;
    private static final int RETRIES = 1 << 10;
    private static final int RECEIVER_RETRIES = 1 << 11;
    private static final int RECEIVE_SEQUENCE = 1 << 12;
    private static final int READS_INITIATED = 1 << 13;
    private static final int RECEIVER_WAIT = 1 << 15;
    private static final int SEND_SEQUENCE = 1 << 16;
    private static final int READS_SERVED = 1 << 17;
    private static final int PEER = 1 << 20;

    private final MemorySegment memory = Arena.ofAuto().allocate(VerbsLayout.QP_ATTR_SIZE, Long.BYTES);
    private final QueuePairState state;
    private int mask = STATE;

    private QueuePairChange(QueuePairState state) {
        this.state = state;
        memory.set(ValueLayout.JAVA_INT, VerbsLayout.QP_ATTR_STATE, state.code());
    }

    /**
     * Begins a change. Moving to the present state changes the attributes alone.
     *
     * @param state the new one
     * @return this change
     */
    public static QueuePairChange to(QueuePairState state) {
        return new QueuePairChange(state);
    }

    private QueuePairChange set(int bit, long field, int value) {
        memory.set(ValueLayout.JAVA_INT, field, value);
        mask |= bit;
        return this;
    }

    private QueuePairChange setByte(int bit, long field, int value) {
        memory.set(ValueLayout.JAVA_BYTE, field, (byte) value);
        mask |= bit;
        return this;
    }

    /**
     * Sets what peers may do.
     *
     * @param rights all of them; others are taken away
     * @return this change
     */
    public QueuePairChange access(Access... rights) {
        return set(ACCESS, VerbsLayout.QP_ATTR_ACCESS_FLAGS, Access.maskOf(rights));
    }

    /**
     * Sets the partition key, by its index in the table of the port.
     *
     * @param index of the result, from 0 on
     * @return this change
     */
    public QueuePairChange partition(int index) {
        memory.set(ValueLayout.JAVA_SHORT, VerbsLayout.QP_ATTR_PKEY_INDEX, (short) index);
        mask |= PARTITION;
        return this;
    }

    /**
     * Sets the port, from 1 on.
     *
     * @param number from 1 on
     * @return this change
     */
    public QueuePairChange port(int number) {
        return setByte(PORT, VerbsLayout.QP_ATTR_PORT_NUM, number);
    }

    /**
     * Sets the key that datagrams for this queue pair must have.
     *
     * @param key 32 bits
     * @return this change
     */
    public QueuePairChange queueKey(int key) {
        return set(QUEUE_KEY, VerbsLayout.QP_ATTR_QKEY, key);
    }

    /**
     * Sets the path to the peer.
     *
     * @param path to the peers
     * @return this change
     */
    public QueuePairChange path(PathAddress path) {
        path.write(memory, VerbsLayout.QP_ATTR_AH);
        mask |= PATH;
        return this;
    }

    /**
     * Sets the largest payload of a packet.
     *
     * @param mtu the largest payload of a packet
     * @return this change
     */
    public QueuePairChange mtu(PathMtu mtu) {
        return set(MTU, VerbsLayout.QP_ATTR_PATH_MTU, mtu.code());
    }

    /**
     * Sets the wait for an acknowledgement: see {@link ConnectSettings#timeoutCode}.
     *
     * @param code see {@link ConnectSettings}
     * @return this change
     */
    public QueuePairChange timeout(int code) {
        return setByte(TIMEOUT, VerbsLayout.QP_ATTR_TIMEOUT, code);
    }

    /**
     * Sets how often a request is sent again without an acknowledgement.
     *
     * @param times at most 7
     * @return this change
     */
    public QueuePairChange retries(int times) {
        return setByte(RETRIES, VerbsLayout.QP_ATTR_RETRY_CNT, times);
    }

    /**
     * Sets how often a request is sent again when the peer has no receive posted.
     *
     * @param times at most 7
     * @return this change
     */
    public QueuePairChange receiverRetries(int times) {
        return setByte(RECEIVER_RETRIES, VerbsLayout.QP_ATTR_RNR_RETRY, times);
    }

    /**
     * Sets the number of the first packet of the peer.
     *
     * @param sequence 24 bits
     * @return this change
     */
    public QueuePairChange receiveSequence(int sequence) {
        return set(RECEIVE_SEQUENCE, VerbsLayout.QP_ATTR_RQ_PSN, sequence);
    }

    /**
     * Sets how many reads and atomic operations this side has under way.
     *
     * @param count at most 255
     * @return this change
     */
    public QueuePairChange readsInitiated(int count) {
        return setByte(READS_INITIATED, VerbsLayout.QP_ATTR_MAX_RD_ATOMIC, count);
    }

    /**
     * Sets how long the peer waits when no receive is posted: see {@link ConnectSettings#receiverWaitCode}.
     *
     * @param code see {@link ConnectSettings}
     * @return this change
     */
    public QueuePairChange receiverWait(int code) {
        return setByte(RECEIVER_WAIT, VerbsLayout.QP_ATTR_MIN_RNR_TIMER, code);
    }

    /**
     * Sets the number of the first packet of this side.
     *
     * @param sequence 24 bits
     * @return this change
     */
    public QueuePairChange sendSequence(int sequence) {
        return set(SEND_SEQUENCE, VerbsLayout.QP_ATTR_SQ_PSN, sequence);
    }

    /**
     * Sets how many reads and atomic operations of the peer are served at a time.
     *
     * @param count at most 255
     * @return this change
     */
    public QueuePairChange readsServed(int count) {
        return setByte(READS_SERVED, VerbsLayout.QP_ATTR_MAX_DEST_RD_ATOMIC, count);
    }

    /**
     * Sets the queue pair of the peer.
     *
     * @param number of the queue pair
     * @return this change
     */
    public QueuePairChange peer(int number) {
        return set(PEER, VerbsLayout.QP_ATTR_DEST_QP_NUM, number);
    }

    QueuePairState state() {
        return state;
    }

    long address() {
        return memory.address();
    }

    int mask() {
        return mask;
    }
}
