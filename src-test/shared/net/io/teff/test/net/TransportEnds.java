package io.teff.test.net;

import io.teff.cluster.net.transport.Transport;
import java.util.ArrayList;
import java.util.List;

/** Ends transports that the thread of a test has polled. */
public final class TransportEnds {
    private TransportEnds() {}

    /** Closes transports, each in a thread of its own, as some wait for the answers of others. */
    public static void closeAll(Iterable<? extends Transport> transports) {
        final List<Thread> threads = new ArrayList<>();
        for (Transport transport : transports) {
            threads.add(Thread.ofPlatform().start(transport::close));
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
