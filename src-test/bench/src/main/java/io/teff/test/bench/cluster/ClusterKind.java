package io.teff.test.bench.cluster;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** The compared ways to reach peers. */
public enum ClusterKind implements Contender {
    /** Over TCP. */
    TCP("tcp", "tcp", 0),
    /** Over TCP, by threads that spin before they sleep. */
    TCP_SPIN("tcp, spinning", "tcp", 20_000),
    /** Over UCX, which takes shared memory between processes of a machine. */
    UCX("ucx", "ucx", 0),
    /** Over UCX, by threads that spin before they sleep. */
    UCX_SPIN("ucx, spinning", "ucx", 20_000);

    private final String title;
    private final String scheme;
    private final long spinNs;

    ClusterKind(String title, String scheme, long spinNs) {
        this.title = title;
        this.scheme = scheme;
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

    /** Whether it needs the library UCX. */
    boolean isOverUcx() {
        return scheme.equals("ucx");
    }

    /** Returns the address of this machine, up to the port. */
    String local() {
        return scheme + ":127.0.0.1:";
    }

    /** Returns how long threads of networks spin. */
    long spinNs() {
        return spinNs;
    }
}
