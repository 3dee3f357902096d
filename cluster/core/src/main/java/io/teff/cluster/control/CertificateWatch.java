package io.teff.cluster.control;

import io.teff.cluster.config.CertificateEnd;
import io.teff.cluster.config.Tls;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Logs the ends of a node's certificates 30, 7 and 1 days before and at the end, and the replacement of certificates.
 * The watch has a thread of its own, which ends at {@link #close}. Nodes without TLS have no thread. Thread-safe.
 */
final class CertificateWatch implements AutoCloseable {
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(10);

    private final Tls tls;
    private final NodeLog log;
    private final Clock clock;
    /** By certificate: the number of announcements of the end that were due at the last look. */
    private final Map<CertificateEnd, Integer> announced = new HashMap<>();
    private List<CertificateEnd> used;
    private @Nullable String fault;
    private volatile @Nullable Thread thread;
    private volatile boolean isClosed;

    CertificateWatch(Tls tls, NodeLog log, Clock clock) {
        this.tls = tls;
        this.log = log;
        this.clock = clock;
        used = tls.ends();
    }

    /** Starts the watch of a node. */
    static CertificateWatch start(Tls tls, NodeLog log, Clock clock, Threads threads) {
        CertificateWatch watch = new CertificateWatch(tls, log, clock);
        if (!tls.isNone()) {
            Thread thread = threads.create("teff-certificates", watch::run);
            watch.thread = thread;
            thread.start();
        }
        return watch;
    }

    private void run() {
        while (!isClosed) {
            look();
            Threads.rest(this, LOOK_NS);
        }
    }

    /** Looks at files and clock, and logs what is new. */
    void look() {
        List<CertificateEnd> ends = tls.ends();
        if (!ends.equals(used)) {
            used = ends;
            log.log(NodeEvent.CERTIFICATE_TAKEN, "new files for TLS are in use: the certificate of "
                + ends.getFirst().name() + " is valid until " + ends.getFirst().end());
        }
        Instant now = Instant.ofEpochMilli(clock.epochMs());
        for (CertificateEnd end : ends) {
            int due = end.announcements(now);
            String text = end.text(now);
            if (text != null && due > announced.getOrDefault(end, 0)) {
                log.log(NodeEvent.CERTIFICATE_ENDS, text);
            }
            announced.put(end, due);
        }
        announced.keySet().retainAll(ends);
        String found = tls.fault();
        if (found != null && !found.equals(fault)) {
            log.log(NodeEvent.CERTIFICATE_REFUSED, found);
        }
        fault = found;
    }

    /** Ends the watch. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        Thread started = thread;
        if (started != null) {
            LockSupport.unpark(started);
        }
    }
}
