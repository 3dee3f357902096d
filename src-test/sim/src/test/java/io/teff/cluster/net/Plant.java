package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.Handler;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The seams of a simulated network where a bug can be planted, to see who finds it. As it is, it plants none.
 */
class Plant {
    /** Of a node's network, before it is opened. */
    void configure(NetworkConfig.Builder config) {}

    /** The executor of a node gets a task. */
    void execute(List<Runnable> tasks, Runnable task) {
        tasks.add(task);
    }

    /** Handles the messages of a node. */
    Handler<byte[]> handler(Handler<byte[]> its) {
        return its;
    }

    /** What a request is answered. */
    byte[] answer(byte[] request) {
        return request;
    }

    /** What a sender gets for a request. */
    CompletableFuture<byte[]> future(CompletableFuture<byte[]> its) {
        return its;
    }

    /** What a link is given. */
    void write(SimWorld world, byte[] bytes) {}

    /** Whether bytes that leave now are lost, which nobody knows. */
    boolean isLost(SimWorld world, int from, int to) {
        return false;
    }

    /** A node begins. */
    void begin(Network network) {}

    /** Whether handlers have a turn. */
    boolean isHandling() {
        return true;
    }

    /** Whether a node that starts anew knows what its messages were. */
    boolean isGoingOn() {
        return true;
    }
}
