package io.teff.cluster.cell;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The network of a client. A client has no NID of its own: the client draws a NID by lot, and another client may have
 * drawn the same NID. A node refuses the later of two clients with one NID, or the earlier client after a loss of its
 * link. The refused client opens a new network with another NID. Messages on their way in the old network are lost, as
 * with a lost link. Thread-safe.
 */
public final class ClientNetwork implements Requests, AutoCloseable {
    /** The pause between two networks doubles from the first time to the second time. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_MAX_NS = TimeUnit.SECONDS.toNanos(1);
    /** A network that is refused after this time was refused for a new reason. */
    private static final long CALM_NS = TimeUnit.SECONDS.toNanos(10);

    private final BiFunction<Integer, ClusterId, NetworkConfig.Builder> networks;
    private final Platform platform;
    private final Clock clock;
    private volatile Network now;
    private long openedNs;
    private long pauseNs;
    private boolean isRenewing;
    private boolean isClosed;

    /**
     * Opens a network.
     *
     * @param networks makes the configuration of a network with a NID, for a known or expected cluster
     * @param cluster identity of the cluster, or the expected identity
     * @param platform chooses NIDs and measures time
     * @throws IOException if the network cannot be opened
     */
    public ClientNetwork(BiFunction<Integer, ClusterId, NetworkConfig.Builder> networks, ClusterId cluster,
                         Platform platform) throws IOException {
        this.networks = networks;
        this.platform = platform;
        clock = platform.clock();
        now = open(cluster);
        openedNs = clock.nowNs();
    }

    private Network open(ClusterId cluster) throws IOException {
        return Network.open(networks.apply(ClientNid.draw(platform.chance()), cluster).drawnNid(true).build());
    }

    /** {@return the current network} Failures of its requests are passed to {@link #failed}. */
    public Network now() {
        return now;
    }

    /** {@return the cluster of the called nodes; unknown, or the expected name, before the first link} */
    public ClusterId cluster() {
        return now.cluster();
    }

    @Override
    public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
        final Network used = now;
        try {
            return used.request(nid, type, request, timeoutNs).whenComplete((_, failure) -> failed(used, failure));
        } catch (NetworkException e) {
            failed(used, e);
            throw e;
        }
    }

    /**
     * Opens a new network soon if a node has refused the NID of the current network. May be called by any thread, and
     * waits for nothing.
     *
     * @param used the network of a failed request
     * @param failure of the request; null for none
     */
    public void failed(Network used, @Nullable Throwable failure) {
        final Throwable cause = failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause() : failure;
        if (cause instanceof NetworkException thrown && thrown.reason() == Reason.TAKEN && isDue(used)) {
            platform.threads().start("teff-client-renew", () -> renew(used));
        }
    }

    private synchronized boolean isDue(Network used) {
        final boolean isDue = used == now && !isClosed && !isRenewing && clock.nowNs() - openedNs >= pauseNs;
        isRenewing |= isDue;
        return isDue;
    }

    private void renew(Network used) {
        synchronized (this) {
            isRenewing = false;
            if (isClosed) {
                return;
            }
            try {
                now = open(used.cluster());
            } catch (IOException _) {
                return;                                         // the next refusal tries again
            }
            pauseNs = clock.nowNs() - openedNs >= CALM_NS ? 0 : Math.clamp(pauseNs * 2, PAUSE_NS, PAUSE_MAX_NS);
            openedNs = clock.nowNs();
        }
        used.close();
    }

    /** Closes the network. Idempotent. */
    @Override
    public void close() {
        close(Long.MAX_VALUE);
    }

    /**
     * Closes the network. Idempotent.
     *
     * @param lingerNs longest wait for the last messages
     */
    public void close(long lingerNs) {
        synchronized (this) {
            isClosed = true;
        }
        now.close(lingerNs);
    }
}
