package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.ring.RingPool;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.stream.Dispatcher;
import io.teff.cluster.net.stream.PendingRequests;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.Identity;
import io.teff.engine.os.Clock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection that the agent polls, and on which all frames were sent. */
public final class Waking {
    private static final int CAPACITY = 256;
    private static final int PAYLOAD_BYTES = 8;
    private static final int SPINS = 50;
    private static final byte[] PAYLOAD = new byte[PAYLOAD_BYTES];
    private static final NetworkConfig CONFIG = NetworkConfig.builder(1).build();
    private static final AgentCounters COUNTS = new AgentCounters();
    private static final PendingRequests REQUESTS = new PendingRequests(COUNTS);
    private static final Dispatcher DISPATCHER = new Dispatcher(REQUESTS, Runnable::run, NetworkListener.NONE,
        COUNTS);
    private static final RingPool POOL = new RingPool(Long.MAX_VALUE, Clock.SYSTEM);
    private static final Transports TRANSPORTS = new Transports(Map.of(), false);
    private static final VarHandle SESSION;
    private static final VarHandle KNOWN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Connection.class, MethodHandles.lookup());
            SESSION = lookup.findVarHandle(Connection.class, "session", Session.class);
            KNOWN = lookup.findVarHandle(Connection.class, "isKnown", AtomicBoolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Agent node = new Agent(CONFIG, Clock.SYSTEM, new Random(1), TRANSPORTS,
        new Identity(1, 1, ClusterId.NONE, 0), DISPATCHER, REQUESTS, POOL, COUNTS, new Agents(CONFIG));
    private final Connection connection = new Connection(node, 2);
    private final SendStream out = new SendStream(POOL, CAPACITY, CAPACITY, Long.MAX_VALUE);
    private final AtomicBoolean isKnown = (AtomicBoolean) KNOWN.get(connection);
    private boolean isAway;

    /** Makes one. */
    public Waking() {
        SESSION.setVolatile(connection, new Session(connection, 1, out, new FrameInput(node.checker()), 1));
        connection.setKnown();
        put();
        var ring = out.sending();
        if (ring != null) {
            ring.sent((int) ring.committed());
        }
    }

    private void put() {
        int result = out.put(1, 0, 0, 0, PAYLOAD, 0, PAYLOAD_BYTES);
        if (result != SendStream.OK) {
            throw new IllegalStateException("put: " + result);
        }
    }

    /** Puts a frame as a sender, and notifies the agent if necessary. */
    public void send() {
        put();
        connection.signal();
    }

    /** Stops polling as the agent, if there is nothing to send. */
    public void lookAway() {
        isAway = !out.hasUnsent() && connection.forget();
    }

    /** Like {@link #lookAway}, without the second check, some time after the first. */
    public void lookAwayBlindly() {
        if (!out.hasUnsent()) {
            for (int i = 0; i < SPINS; i++) {
                Thread.onSpinWait();
            }
            isKnown.set(false);
            isAway = true;
        }
    }

    /** Returns whether a frame waits without a notification of the agent, after all actors have ended. */
    public boolean isForgotten() {
        return isAway && out.hasUnsent() && !isKnown.get();
    }
}
