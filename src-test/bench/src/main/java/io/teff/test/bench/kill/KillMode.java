package io.teff.test.bench.kill;

import io.teff.test.bench.store.Named;

/** How a cluster learns the death of a peer. */
enum KillMode implements Named {
    /** The supervisor reports it, as soon as the kernel says so. */
    ATTESTED("death attested by the supervisor"),
    /** Nothing reports it: the lease runs out. */
    LEASE("by the lease alone");

    private final String title;

    KillMode(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
