package io.teff.cluster.net;

import io.teff.cluster.net.agent.Agent;
import io.teff.cluster.net.agent.Agents;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Opens the package-private parts of {@link Network} to the tests of its rooms. */
public final class NetworkAccess {
    private NetworkAccess() {}

    /** Makes a network without threads, whose agents the test calls. */
    public static Network make(NetworkConfig config, Clock clock, RandomGenerator random, List<Transports> transports,
            long incarnation) throws IOException {
        return new Network(config, clock, random, transports, incarnation);
    }

    /** {@return the first agent of a network} */
    public static Agent agent(Network network) {
        return network.agent();
    }

    /** Sends a request whose caller only waits for the answer, if {@code isAwaited}. */
    public static <Q, R> CompletableFuture<R> begin(Network network, int nid, RequestType<Q, R> type, Q request,
            long timeoutNs, boolean isAwaited) {
        return network.begin(nid, type, request, timeoutNs, isAwaited).future();
    }

    /** {@return all agents of a network} */
    public static Agents agents(Network network) {
        return network.agents();
    }
}
