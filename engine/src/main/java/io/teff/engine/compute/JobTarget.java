package io.teff.engine.compute;

/**
 * Where a job runs.
 *
 * @param kind what the number means
 * @param number a CID, a zone or a node; 0 for any node
 */
public record JobTarget(Kind kind, long number) {
    /** Any node that takes jobs. */
    public static final JobTarget ANY = new JobTarget(Kind.ANY, 0);

    private static final int ZONE_SHIFT = 48;

    /** Kind of a target. */
    public enum Kind {
        /** Any node. */
        ANY,
        /** The owner of a chunk, whether the chunk exists or not. */
        CHUNK,
        /** The owner of a zone. */
        ZONE,
        /** A node by its NID; a store of this JVM alone is each node. */
        NODE
    }

    /**
     * {@return the owner of a chunk}
     *
     * @param cid the chunk, which need not exist
     */
    public static JobTarget chunk(long cid) {
        return new JobTarget(Kind.CHUNK, cid);
    }

    /**
     * {@return the owner of a zone}
     *
     * @param zone one of {@link Compute#zones}
     */
    public static JobTarget zone(int zone) {
        return new JobTarget(Kind.ZONE, zone);
    }

    /**
     * {@return a node}
     *
     * @param nid NID of the node
     */
    public static JobTarget node(int nid) {
        return new JobTarget(Kind.NODE, nid);
    }

    /** {@return whether the job is bound to a zone} */
    public boolean hasZone() {
        return kind == Kind.CHUNK || kind == Kind.ZONE;
    }

    /** {@return the zone of the job; 0 for none} */
    public int zone() {
        return switch (kind) {
            case CHUNK -> (int) (number >>> ZONE_SHIFT);
            case ZONE -> (int) number;
            default -> 0;
        };
    }

    /** {@return the chunk of the job; 0 for none} */
    public long cid() {
        return kind == Kind.CHUNK ? number : 0;
    }
}
