package io.teff.cluster.access;

import static io.teff.cluster.access.Right.ADMINISTER;
import static io.teff.cluster.access.Right.ANY;
import static io.teff.cluster.access.Right.COMPUTE;
import static io.teff.cluster.access.Right.OPERATE;
import static io.teff.cluster.access.Right.READ;
import static io.teff.cluster.access.Right.STATUS;
import static io.teff.cluster.access.Right.WRITE;

import java.util.Set;

/** A set of rights for a purpose. A principal may have several roles. */
public enum Role {
    /** Reads contents. */
    READER(Set.of(ANY, STATUS, READ)),
    /** Reads and changes contents. */
    WRITER(Set.of(ANY, STATUS, READ, WRITE, COMPUTE)),
    /** Operates the cluster without a look at contents. */
    OPERATOR(Set.of(ANY, STATUS, OPERATE)),
    /** Does everything that is not a node's own work. */
    ADMIN(Set.of(ANY, STATUS, READ, WRITE, COMPUTE, OPERATE, ADMINISTER));

    private final Set<Right> rights;

    Role(Set<Right> rights) {
        this.rights = rights;
    }

    /**
     * {@return whether the role has a right}
     *
     * @param right any right
     */
    public boolean has(Right right) {
        return rights.contains(right);
    }
}
