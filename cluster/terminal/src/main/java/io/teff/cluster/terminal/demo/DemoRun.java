package io.teff.cluster.terminal.demo;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Units;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The course of the demo: create graph and chunks, update chunks by several threads, kill a peer meanwhile, wait until
 * the peer's zones are served again, verify everything. Used once.
 */
final class DemoRun {
    private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long AFTER_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    /** Longest time between the new backups of two zones. */
    private static final long REFILL_NS = TimeUnit.SECONDS.toNanos(5);

    private final DemoGraph graph;
    private final DemoChunks chunks;
    private final DemoUpdates updates;
    private final DemoCluster cluster;
    private final ClusterAdmin admin;
    private final LiveLine line;

    DemoRun(DemoGraph graph, DemoChunks chunks, int threads, DemoCluster cluster, ClusterAdmin admin, LiveLine line) {
        this.graph = graph;
        this.chunks = chunks;
        this.cluster = cluster;
        this.admin = admin;
        this.line = line;
        updates = new DemoUpdates(chunks, threads);
    }

    /**
     * Runs.
     *
     * @param name the peer to be killed; null for the owner of the graph
     * @return what has happened
     */
    DemoResult run(@Nullable String name) throws IOException {
        long references = create();
        ClusterStatus before = admin.tables();
        if (!before.isAnswering()) {
            throw new CommandFailure("no superpeer answers");
        }
        LocalNode victim = cluster.victim(name, graph.zone(), before);
        updates.begin();
        DemoWatch watch = new DemoWatch(admin, updates::count, line);
        int wrong;
        try (watch) {
            pause(BEFORE_NS);
            kill(victim, watch);
            watch.await(timeline -> timeline.isServed() || updates.hasFailed(), PATIENCE_NS);
            pause(AFTER_NS);
            updates.end();
            line.print(String.format(Locale.ROOT, "updates   %,d acknowledged, the longest after %.0f ms; no call has "
                + "failed", updates.count(), updates.longestNs() / 1e6));
            wrong = verify();
            awaitRefill(watch);
        }
        return new DemoResult(graph.classCount(), references, chunks.count(), victim.name(),
            watch.read(timeline -> timeline), watch.samples(), updates.count(), updates.longestNs(), wrong);
    }

    private long create() throws IOException {
        long begun = Clock.SYSTEM.nowNs();
        long references = graph.create();
        line.print(String.format(Locale.ROOT, "graph     %,d classes, %,d references, %,d chunks, %s, in %.1f s",
            graph.classCount(), references, graph.chunkCount(), Units.bytes(graph.bytes()), seconds(begun)));
        if (!graph.path().isEmpty()) {
            line.print("          " + String.join(" > ", graph.path()));
        }
        long chunksBegun = Clock.SYSTEM.nowNs();
        updates.inParallel("create", (from, to) -> {
            chunks.create(from, to);
            return 0;
        });
        line.print(String.format(Locale.ROOT, "chunks    %,d of %d B, in %.1f s", chunks.count(), DemoChunks.BYTES,
            seconds(chunksBegun)));
        return references;
    }

    private void kill(LocalNode victim, DemoWatch watch) {
        ProcessId process = victim.process();
        NodeLife life = victim.life();
        updates.check();
        ClusterStatus before = admin.tables();
        if (process == null || life == null || !before.isAnswering()) {
            throw new CommandFailure(victim.name() + " does not run");
        }
        ZoneStatus row = before.zone(graph.zone());
        String ofGraph = row != null && row.isOwnedBy(life) ? ", among them that of the graph" : "";
        process.handle().ifPresent(ProcessHandle::destroyForcibly);
        watch.killed(life, before, Clock.SYSTEM.nowNs());
        line.print(String.format(Locale.ROOT, "killed    %s, %s, owner of %d zones%s", victim.name(), process,
            watch.read(Timeline::zones), ofGraph));
    }

    private int verify() {
        long begun = Clock.SYSTEM.nowNs();
        int wrong = graph.verify() + updates.inParallel("verify", chunks::verify);
        if (!graph.hasTheSamePath()) {
            wrong++;
            line.print("the graph has another path from its first to its last class");
        }
        line.print(String.format(Locale.ROOT, "verified  %,d chunks in %.1f s: %s",
            graph.chunkCount() + chunks.count(), seconds(begun), wrong == 0
                ? "each byte is the one that was acknowledged last" : wrong + " are wrong"));
        return wrong;
    }

    /** Waits for the new backups of the cluster, as long as a zone gets a complete backup every few seconds. */
    private void awaitRefill(DemoWatch watch) {
        boolean isGoingOn = true;
        while (isGoingOn && !watch.read(Timeline::isRefilled)) {
            int before = watch.read(Timeline::refilled);
            isGoingOn = watch.await(timeline -> timeline.refilled() > before, REFILL_NS);
        }
        int missing = watch.read(timeline -> timeline.hurt() - timeline.refilled());
        if (missing > 0) {
            line.print(String.format(Locale.ROOT, "  %-18s not yet: %d of %d zones have fewer backups than before",
                "refilled", missing, watch.read(Timeline::hurt)));
        }
    }

    /** Removes all chunks of the demo. */
    void remove() {
        graph.remove();
        updates.inParallel("remove", (from, to) -> {
            chunks.remove(from, to);
            return 0;
        });
    }

    private void pause(long ns) {
        long end = Clock.SYSTEM.nowNs() + ns;
        while (Clock.SYSTEM.nowNs() - end < 0 && !updates.hasFailed()) {
            Clock.SYSTEM.pause(this, TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static double seconds(long begunNs) {
        return (Clock.SYSTEM.nowNs() - begunNs) / 1e9;
    }
}
