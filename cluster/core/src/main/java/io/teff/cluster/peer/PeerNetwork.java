package io.teff.cluster.peer;

import io.teff.cluster.cell.Requests;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RawType;
import io.teff.cluster.net.message.RequestType;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The network of a life, for parts made before the network is opened. Thread-safe. */
final class PeerNetwork implements Requests, RunTraffic.Link {
    private volatile @Nullable Network network;

    /** Sets the network. Before, nothing can be sent. */
    void opened(Network value) {
        network = value;
    }

    @Override
    public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
        final Network to = network;
        return to != null ? to.request(nid, type, request, timeoutNs)
            : CompletableFuture.failedFuture(new NetworkException(Reason.UNREACHABLE, nid, "the network opens"));
    }

    @Override
    public boolean offer(int nid, int lane, RawType type, MemorySegment memory, int length) {
        final Network to = network;
        return to != null && to.raw().offer(nid, lane, type, memory, 0, length);
    }
}
