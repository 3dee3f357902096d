package io.teff.test.bench.cluster;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** The compared ways to reach peers. */
public enum ClusterKind implements Contender {
    /** Over TCP. */
    TCP("tcp", 0),
    /** Over TCP, by threads that spin before they sleep. */
    TCP_SPIN("tcp, spinning", 20_000);

    private final String title;
    private final long spinNs;

    ClusterKind(String title, long spinNs) {
        this.title = title;
        this.spinNs = spinNs;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> flags() {
        return List.of();
    }

    /** Returns how long threads of networks spin. */
    long spinNs() {
        return spinNs;
    }
}
