package io.teff.tools.demo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * Records the garbage collections of this JVM between {@link #start} and {@link #stop}, from Flight Recorder events:
 * the pauses of every collection in nanoseconds, and the heap in use before it.
 */
final class PauseWatch implements AutoCloseable {
    private static final String COLLECTION = "jdk.GarbageCollection";
    private static final String HEAP = "jdk.GCHeapSummary";

    private final RecordingStream stream = new RecordingStream();
    private long collections;
    private long totalNs;
    private long maxNs;
    private long heapUsedMax;
    private boolean running = true;

    private PauseWatch() {}

    static PauseWatch start() {
        PauseWatch watch = new PauseWatch();
        watch.stream.enable(COLLECTION).withThreshold(Duration.ZERO);
        watch.stream.enable(HEAP);
        watch.stream.onEvent(COLLECTION, watch::addCollection);
        watch.stream.onEvent(HEAP, watch::addHeap);
        watch.stream.startAsync();
        return watch;
    }

    private synchronized void addCollection(RecordedEvent event) {
        collections++;
        totalNs += event.getDuration("sumOfPauses").toNanos();
        maxNs = Math.max(maxNs, event.getDuration("longestPause").toNanos());
    }

    private synchronized void addHeap(RecordedEvent event) {
        heapUsedMax = Math.max(heapUsedMax, event.getLong("heapUsed"));
    }

    /** Stops recording after the last event has arrived; returns the totals. */
    DemoReport.Collector stop() {
        if (running) {
            running = false;
            stream.stop();
        }
        Runtime runtime = Runtime.getRuntime();
        long heapUsed = runtime.totalMemory() - runtime.freeMemory();
        synchronized (this) {
            double millisecond = TimeUnit.MILLISECONDS.toNanos(1);
            return new DemoReport.Collector(collections, totalNs / millisecond, maxNs / millisecond,
                Math.max(heapUsedMax, heapUsed), runtime.maxMemory());
        }
    }

    @Override
    public void close() {
        stream.close();
    }
}
