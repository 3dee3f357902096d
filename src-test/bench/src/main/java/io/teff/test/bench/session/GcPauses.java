package io.teff.test.bench.session;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * The pauses of the garbage collector from now until it is closed, from the JVM's own event stream, without those that
 * the session asks for.
 */
public final class GcPauses implements AutoCloseable {
    private static final String COLLECTION = "jdk.GarbageCollection";
    private static final String ASKED_FOR = "System.gc()";
    private static final double MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final RecordingStream stream = new RecordingStream();
    private long maxNs;
    private long sumNs;

    /** Begins to listen. */
    public GcPauses() {
        stream.enable(COLLECTION).withThreshold(Duration.ZERO);
        stream.onEvent(COLLECTION, this::add);
        stream.startAsync();
    }

    private synchronized void add(RecordedEvent event) {
        if (!event.getString("cause").equals(ASKED_FOR)) {
            maxNs = Math.max(maxNs, event.getDuration("longestPause").toNanos());
            sumNs += event.getDuration("sumOfPauses").toNanos();
        }
    }

    /** {@return the longest pause in milliseconds; ends the listening} */
    public double maxMs() {
        stream.stop();                                          // the last event has arrived then
        synchronized (this) {
            return maxNs / MILLISECOND_NS;
        }
    }

    /** {@return the sum of all pauses in milliseconds, after {@link #maxMs}} */
    public synchronized double sumMs() {
        return sumNs / MILLISECOND_NS;
    }

    @Override
    public void close() {
        stream.close();
    }
}
