package io.teff.cluster.client;

import io.teff.cluster.NearCacheConfig;
import io.teff.engine.os.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The near cache of one map at a simulated client, for simulators in other packages. */
public final class SimCopies {
    private static final long BYTES = 64 << 10;

    private final NearCopies copies;

    /** A value that was read, or the absence of an entry. */
    public record Copy(byte @Nullable [] value) {}

    /** Begins without copies. */
    public SimCopies(Clock clock, long boundNs) {
        copies = new NearCopies(clock, 1);
        copies.keep(NearCacheConfig.of(BYTES, Duration.ofNanos(boundNs)));
    }

    /** Returns the copy of a key that is younger than a bound, or null. */
    public @Nullable Copy find(byte[] key, long boundNs) {
        NearCopies.Copy found = copies.find(key, boundNs);
        return found == null ? null : new Copy(found.value());
    }

    /** Begins a read of the owner; the result takes its value, or null if there is no entry. */
    public Consumer<byte @Nullable []> begin(byte[] key) {
        NearCopies.Read read = copies.begin(key);
        return value -> copies.ended(key, read, value);
    }

    /** A change of this client has ended. */
    public void changed(byte[] key) {
        copies.changed(key);
    }
}
