package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.Handler;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The seams of a simulated network where a bug can be planted, to see which oracle finds it. This base class plants
 * none.
 */
class Plant {
    /** Changes the configuration of a node's network, before it is opened. */
    void configure(NetworkConfig.Builder config) {}

    /** Passes a task to the executor of a node. */
    void execute(List<Runnable> tasks, Runnable task) {
        tasks.add(task);
    }

    /** Wraps the message handler of a node. */
    Handler<byte[]> handler(Handler<byte[]> its) {
        return its;
    }

    /** Changes the answer to a request. */
    byte[] answer(byte[] request) {
        return request;
    }

    /** Changes the future of a request. */
    CompletableFuture<byte[]> future(CompletableFuture<byte[]> its) {
        return its;
    }

    /** Changes the bytes written to a link. */
    void write(SimWorld world, byte[] bytes) {}

    /** Whether bytes sent now are lost without either side noticing. */
    boolean isLost(SimWorld world, int from, int to) {
        return false;
    }

    /** Called when a node starts. */
    void begin(Network network) {}

    /** Whether handlers run in this step. */
    boolean isHandling() {
        return true;
    }

    /** Whether a restarted node knows its former message numbers. */
    boolean isGoingOn() {
        return true;
    }
}
