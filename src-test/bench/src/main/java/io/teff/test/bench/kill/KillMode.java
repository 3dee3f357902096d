package io.teff.test.bench.kill;

import io.teff.test.bench.store.Named;

/** What is killed, and how a cluster learns the death of a peer. */
enum KillMode implements Named {
    /** The supervisor reports it, as soon as the kernel says so. */
    ATTESTED("death attested by the supervisor"),
    /** Nothing reports it: the lease runs out. */
    LEASE("by the lease alone"),
    /** The leading superpeer of three is killed, instead of a peer. */
    LEADER("the leading superpeer"),
    /** A peer is killed, and the reads are looked at that meet its zones' new backups being made. */
    REFILL("new backups for the zones of a killed peer"),
    /** A peer is killed while threads call as fast as they can. */
    RATE("rate of calls after the kill of a peer");

    private final String title;

    KillMode(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
