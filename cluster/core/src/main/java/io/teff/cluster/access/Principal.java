package io.teff.cluster.access;

import io.teff.cluster.config.SecretFiles;
import io.teff.cluster.net.config.CertificateName;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client or tool with a name and rights. Immutable.
 *
 * @param name names the principal for people
 * @param roles roles of the principal
 * @param rights rights of the roles, without the rights that a list of collections takes away
 * @param collections names of collections
 * @param services names of services
 * @param requestsPerSecond most requests a second at each node; 0 for no limit
 * @param bytesPerSecond most bytes of requests a second at each node; 0 for no limit
 * @param openRequests most requests of a connection that wait for their answers; 0 for no limit
 * @param token files of the token; null without a token
 * @param certificate name in the certificate of the principal; null for any certificate
 */
record Principal(String name, Set<Role> roles, Set<Right> rights, NameList collections, NameList services,
                 long requestsPerSecond, long bytesPerSecond, int openRequests, @Nullable SecretFiles token,
                 @Nullable CertificateName certificate) {

    /**
     * Returns the rights of roles.
     *
     * @param hasChunks whether the principal reaches chunks by their CIDs, and so everything in chunks
     */
    static Set<Right> rights(Set<Role> roles, boolean hasChunks) {
        final Set<Right> rights = EnumSet.noneOf(Right.class);
        for (Right right : Right.values()) {
            if (roles.stream().anyMatch(role -> role.has(right)) && (hasChunks || right != Right.COMPUTE)) {
                rights.add(right);
            }
        }
        return rights;
    }

    boolean has(Right right) {
        return rights.contains(right);
    }

    /** Returns whether the principal reaches chunks by their CIDs. */
    boolean hasChunks() {
        return collections.isAll() || rights.contains(Right.COMPUTE);
    }
}
