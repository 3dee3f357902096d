package io.teff.tools.demo;

import io.teff.engine.Store;
import io.teff.tools.console.Figures;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The progress text of the load: chunks, rate since the previous call, memory in use, estimated time left. */
final class LoadProgress implements Supplier<String> {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLION = 1e6;

    private final Store store;
    private final LoadPhase phase;
    private final long count;
    private final long begunNs = System.nanoTime();
    private long lastNs = begunNs;
    private long lastDone;

    LoadProgress(Store store, LoadPhase phase, long count) {
        this.store = store;
        this.phase = phase;
        this.count = count;
    }

    @Override
    public String get() {
        long nowNs = System.nanoTime();
        long done = phase.created();
        if (done == count) {
            return Figures.text("load  read back %3d %%", phase.swept() * 100 / count);
        }
        double rate = (done - lastDone) / ((nowNs - lastNs) / SECOND_NS) / MILLION;
        double left = done == 0 ? 0 : (nowNs - begunNs) / SECOND_NS / done * (count - done);
        lastNs = nowNs;
        lastDone = done;
        return Figures.text("load  %3d %%  %s chunks  %.2f M new/s  %s  %.0f s left", done * 100 / count,
            Figures.count(done), rate, Figures.bytes(store.stats().usedBytes()), left);
    }
}
