package io.teff.test.bench.grid;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** The compared systems. */
enum GridKind implements Contender {
    /** Chunks of a Teff cluster, found by their CIDs. */
    TEFF("Teff, chunks", List.of()),
    /** A map of a Teff cluster. */
    TEFF_MAP("Teff, map", List.of()),
    /** An {@code IMap} of Hazelcast, by a client. */
    HAZELCAST("Hazelcast", JvmFlags.HAZELCAST),
    /** A cache of Ignite, by a client node, which knows the owner of each key. */
    IGNITE("Ignite, client node", JvmFlags.IGNITE),
    /** A cache of Ignite, by the thin client. */
    IGNITE_THIN("Ignite, thin client", JvmFlags.IGNITE);

    private final String title;
    private final List<String> flags;

    GridKind(String title, List<String> flags) {
        this.title = title;
        this.flags = flags;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> flags() {
        return flags;
    }

    /** Returns whether clients of the system have an operation. Chunks have no order and no keys to walk over. */
    boolean has(GridOp op) {
        return switch (op) {
            case QUEUE -> this != TEFF && this != IGNITE_THIN;
            case SCAN -> this != TEFF;
            default -> true;
        };
    }

    boolean isTeff() {
        return this == TEFF || this == TEFF_MAP;
    }

    boolean isHazelcast() {
        return this == HAZELCAST;
    }
}
