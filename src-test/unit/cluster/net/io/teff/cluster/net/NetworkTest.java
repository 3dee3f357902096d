package io.teff.cluster.net;

import io.teff.test.net.NetworkContract;
import java.util.concurrent.atomic.AtomicInteger;

/** The contract of networks, within a process. */
final class NetworkTest extends NetworkContract {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "loop:network-test-" + NAMES.incrementAndGet() + "-";

    @Override
    protected String listenAt(int nid) {
        return name + nid;
    }

    @Override
    protected String nobody() {
        return name + "nobody";
    }
}
