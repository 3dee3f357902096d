package io.teff.rdma.verbs.connect;

import io.teff.rdma.verbs.call.VerbsLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The wishes of one side of a connection, and the data for the peer. Immutable, thread-safe. */
public final class ConnectionSettings {
    private static final int READS = 16;
    private static final int BYTE_MAX = 255;
    private static final int RETRIES_MAX = 7;
    private static final byte[] NO_DATA = {};

    private final byte[] privateData;
    private final int readsServed;
    private final int readsInitiated;
    private final int retries;
    private final int receiverRetries;

    private ConnectionSettings(byte[] privateData, int readsServed, int readsInitiated, int retries,
            int receiverRetries) {
        this.privateData = privateData;
        this.readsServed = check(readsServed, BYTE_MAX);
        this.readsInitiated = check(readsInitiated, BYTE_MAX);
        this.retries = check(retries, RETRIES_MAX);
        this.receiverRetries = check(receiverRetries, RETRIES_MAX);
    }

    private static int check(int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException("value=" + value + " max=" + max);
        }
        return value;
    }

    /** {@return settings without private data, with 16 reads in each direction and 7 retries of both kinds} */
    public static ConnectionSettings standard() {
        return new ConnectionSettings(NO_DATA, READS, READS, RETRIES_MAX, RETRIES_MAX);
    }

    /**
     * {@return these settings with bytes for the peer}
     *
     * @param bytes at most 255; the transport allows fewer: 56 for a request with RoCE and InfiniBand, 196 for an
     *     answer
     */
    public ConnectionSettings withPrivateData(byte[] bytes) {
        check(bytes.length, BYTE_MAX);
        return new ConnectionSettings(bytes.clone(), readsServed, readsInitiated, retries, receiverRetries);
    }

    /**
     * {@return these settings with other numbers of reads and atomic operations}
     *
     * @param served of the peer, at a time
     * @param initiated of this side, under way
     */
    public ConnectionSettings withReads(int served, int initiated) {
        return new ConnectionSettings(privateData, served, initiated, retries, receiverRetries);
    }

    /**
     * {@return these settings with other numbers of retries}
     *
     * @param times without an acknowledgement, at most 7
     * @param receiverTimes when the peer has no receive posted, at most 6; 7 for ever
     */
    public ConnectionSettings withRetries(int times, int receiverTimes) {
        return new ConnectionSettings(privateData, readsServed, readsInitiated, times, receiverTimes);
    }

    /** Returns an rdma_conn_param. */
    MemorySegment struct(Arena arena) {
        final MemorySegment struct = arena.allocate(VerbsLayout.CONN_SIZE, Long.BYTES);
        if (privateData.length > 0) {
            final MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, privateData);
            struct.set(ValueLayout.JAVA_LONG, VerbsLayout.CONN_PRIVATE_DATA, data.address());
        }
        struct.set(ValueLayout.JAVA_BYTE, VerbsLayout.CONN_PRIVATE_DATA_LEN, (byte) privateData.length);
        struct.set(ValueLayout.JAVA_BYTE, VerbsLayout.CONN_RESPONDER, (byte) readsServed);
        struct.set(ValueLayout.JAVA_BYTE, VerbsLayout.CONN_INITIATOR, (byte) readsInitiated);
        struct.set(ValueLayout.JAVA_BYTE, VerbsLayout.CONN_FLOW_CONTROL, (byte) 1);
        struct.set(ValueLayout.JAVA_BYTE, VerbsLayout.CONN_RETRY, (byte) retries);
        struct.set(ValueLayout.JAVA_BYTE, VerbsLayout.CONN_RNR_RETRY, (byte) receiverRetries);
        return struct;
    }
}
