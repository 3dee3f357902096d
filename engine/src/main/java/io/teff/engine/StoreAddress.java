package io.teff.engine;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Opens the store of an address, by the modules that this process has. */
final class StoreAddress {
    private static final String FILE = "file";

    private StoreAddress() {}

    static ChunkStore open(String address) {
        final int colon = address.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("address=" + address + " has no scheme; addresses of stores are "
                + "memory:, file:PATH, and tcp:HOST:PORT,... of the superpeers of a cluster");
        }
        final String scheme = address.substring(0, colon);
        final StoreOpener opener = find(scheme);
        if (opener == null) {
            throw new IllegalArgumentException("address=" + address + " needs a module that this process does not "
                + "have: " + (scheme.equals(FILE) ? "io.teff.recovery (io.teff:teff-recovery)"
                : "io.teff.cluster (io.teff:teff-cluster), and the module of the transport, for tcp io.teff.nio "
                + "(io.teff:teff-nio)"));
        }
        return opener.open(address);
    }

    private static @Nullable StoreOpener find(String scheme) {
        for (StoreOpener opener : ServiceLoader.load(StoreOpener.class, StoreOpener.class.getClassLoader())) {
            if (opener.opens(scheme)) {
                return opener;
            }
        }
        return null;
    }
}
