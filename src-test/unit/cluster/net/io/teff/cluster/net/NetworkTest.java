package io.teff.cluster.net;

import io.teff.test.net.EachTransport;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;
import java.util.concurrent.atomic.AtomicInteger;

/** The contract of networks, within a process. */
final class NetworkTest implements EachTransport, NetworkContract {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "loop:network-test-" + NAMES.incrementAndGet() + "-";
    private final TestNodes nodes = TestNodes.of(nid -> name + nid, name + "nobody");

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
