package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;

/** Configurations of tests that are not about time: each limit is one that no busy machine reaches. */
public final class PatientConfig {
    private static final long LONG_NS = 60_000_000_000L;

    private PatientConfig() {}

    /** Begins the configuration of a node. */
    public static NetworkConfig.Builder of(int nid) {
        return NetworkConfig.builder(nid).greetingNs(LONG_NS).reachNs(LONG_NS).silenceNs(LONG_NS).awayNs(LONG_NS)
            .sendTimeoutNs(LONG_NS).requestTimeoutNs(LONG_NS);
    }
}
