package io.teff.rdma.verbs.connect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An event of a connection. Immutable, thread-safe. */
public final class ConnectionEvent {
    private final ConnectionEventType type;
    private final int status;
    private final @Nullable ConnectionId connection;
    private final @Nullable ConnectionId listener;
    private final byte[] privateData;
    private final int readsServed;
    private final int readsInitiated;
    private final int queuePairNumber;

    ConnectionEvent(ConnectionEventType type, int status, @Nullable ConnectionId connection,
            @Nullable ConnectionId listener, byte[] privateData, int readsServed, int readsInitiated,
            int queuePairNumber) {
        this.type = type;
        this.status = status;
        this.connection = connection;
        this.listener = listener;
        this.privateData = privateData;
        this.readsServed = readsServed;
        this.readsInitiated = readsInitiated;
        this.queuePairNumber = queuePairNumber;
    }

    /** {@return what has happened} */
    public ConnectionEventType type() {
        return type;
    }

    /**
     * {@return 0, or why it has failed: a negative errno, or for {@link ConnectionEventType#REJECTED} the reason that
     * the transport gives}
     */
    public int status() {
        return status;
    }

    /**
     * {@return the connection that it is about; for {@link ConnectionEventType#CONNECT_REQUEST} a new one} Null if the
     * connection was closed meanwhile.
     */
    public @Nullable ConnectionId connection() {
        return connection;
    }

    /** {@return the listener of a request to connect; null for other events} */
    public @Nullable ConnectionId listener() {
        return listener;
    }

    /**
     * {@return the bytes that the peer has sent with its request, its acceptance or its rejection; empty without} The
     * transport may append zeros.
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** {@return how many reads and atomic operations the peer serves at a time} */
    public int readsServed() {
        return readsServed;
    }

    /** {@return how many reads and atomic operations the peer has under way} */
    public int readsInitiated() {
        return readsInitiated;
    }

    /** {@return the queue pair of the peer} */
    public int queuePairNumber() {
        return queuePairNumber;
    }

    @Override
    public String toString() {
        return type + " status=" + status + " privateData=" + Arrays.toString(privateData);
    }
}
