package io.teff.cluster.config;

import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The current key and certificates of a node or client: new files are read when a connection begins, and when the state
 * of the certificates is asked for. Thread-safe.
 *
 * <p>The files are looked at once in {@link #LOOK_NS} at most. New files that do not belong together are perhaps half
 * of a replacement, so the old key and certificates stay in use, and the next look reads the files again.
 */
final class TlsSource {
    /** Shortest time between two looks at the files. */
    static final long LOOK_NS = TimeUnit.SECONDS.toNanos(10);

    private final TlsPlaces places;
    private final OwnName own;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** The versions of the files in use, and of refused files. Guarded by the lock, as is the time of the last look. */
    private String used;
    private String refused = "";
    private long lookedNs;
    private volatile TlsMaterial material;
    private volatile @Nullable String fault;

    /**
     * Begins with files that were read.
     *
     * @param places the files
     * @param versions versions of the files before they were read
     * @param material contents of the files
     * @param own rule for names in new certificates
     * @param clock measures the time between looks, and the time of certificates
     */
    TlsSource(TlsPlaces places, String versions, TlsMaterial material, OwnName own, Clock clock) {
        this.places = places;
        this.own = own;
        this.material = material;
        this.clock = clock;
        used = versions;
        lookedNs = clock.nowNs();
    }

    /** Returns key and certificates, after a look at the files if the last look is long ago. */
    TlsMaterial material() {
        if (lock.tryLock()) {                                   // else another thread looks
            try {
                if (clock.nowNs() - lookedNs >= LOOK_NS) {
                    lookedNs = clock.nowNs();
                    look();
                }
            } finally {
                lock.unlock();
            }
        }
        return material;
    }

    private void look() {
        String versions = places.versions();
        if (versions.equals(used)) {
            fault = null;
            return;
        }
        try {
            material = TlsMaterial.read(places, own, clock);
            used = versions;
            fault = null;
        } catch (IOException e) {
            // the second look at the same files: no replacement is under way
            fault = versions.equals(refused) ? "the new files for TLS are not used: " + FailureText.of(e) : fault;
            refused = versions;
        }
    }

    /** Returns why new files are not used; null if the files are in use. */
    @Nullable String fault() {
        return fault;
    }

    /** Returns the time for the ends of certificates. */
    Instant now() {
        return Instant.ofEpochMilli(clock.epochMs());
    }
}
