package io.teff.cluster.cell;

import java.io.IOException;
import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * This process and the superpeers cannot talk before the process, or the cluster, is configured anew. The text names
 * the remedy.
 */
public final class MisfitException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Artifacts with the transports of this project, by scheme; the name of the module is the same with dots. */
    private static final Map<String, String> ARTIFACTS = Map.of("tcp", "teff-nio", "ucx", "teff-rdma-transport",
        "verbs", "teff-rdma-transport", "aeron", "teff-cluster-aeron");

    /** Makes an exception for people. */
    MisfitException(String what, @Nullable Throwable cause) {
        super(what, cause);
    }

    /**
     * Checks that this process has the transports of addresses.
     *
     * @param addresses each begins with the scheme of its transport
     * @param schemes the transports of this process
     * @throws MisfitException if no address has a transport
     */
    static void checkTransports(List<String> addresses, Set<String> schemes) throws MisfitException {
        if (addresses.stream().noneMatch(address -> schemes.contains(scheme(address)))) {
            final String first = addresses.getFirst();
            final String artifact = ARTIFACTS.get(scheme(first));
            throw new MisfitException("this process has no transport for " + first + ", only for " + schemes
                + (artifact == null ? "" : "; io.teff:" + artifact + " (module "
                + artifact.replace("teff-", "io.teff.").replace('-', '.')
                + ") belongs on the class path or the module path"), null);
        }
    }

    private static String scheme(String address) {
        return address.substring(0, Math.max(address.indexOf(':'), 0));
    }
}
