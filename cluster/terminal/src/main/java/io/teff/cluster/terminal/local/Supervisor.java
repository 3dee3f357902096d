package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.terminal.local.LocalNode.Started;
import io.teff.cluster.terminal.node.EndSignals;
import io.teff.cluster.terminal.node.LogFile;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.cluster.terminal.node.RestartMark;
import io.teff.engine.os.Clock;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The parent of the processes of a cluster on this machine.
 *
 * <p>The supervisor starts the nodes, and waits for their ends. The kernel reports the end of a child at once, and this
 * report is a fact. The supervisor passes the fact to the superpeers as {@link ClusterAdmin#reportEnd}, so that the
 * zones of a killed peer are restored without waiting for its lease. The supervisor starts a node again only on
 * request.
 *
 * <p>A supervisor takes over the nodes of an earlier supervisor: running nodes are watched by their process numbers,
 * twenty times a second; nodes that have ended in between are reported.
 *
 * <p>If the folder of the cluster is deleted, the supervisor starts no node any more, and ends after its last node.
 */
final class Supervisor {
    private static final long POLL_MS = 50;
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long STAGGER_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long REFRESH_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long END_MS = 15_000;
    private static final long KILL_MS = 5_000;

    private ClusterFolder folder;
    private final LogFile log;
    private final ClusterAdmin admin;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Map<String, Started> running = new HashMap<>();
    private final Map<String, Process> children = new HashMap<>();
    private final Set<LocalNode> wanted = new LinkedHashSet<>();

    /** The end of a node's process; a null node asks to stop. */
    private record Event(@Nullable LocalNode node, @Nullable Process process, long atNs) {}

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private Supervisor(ClusterFolder folder, LogFile log, ClusterAdmin admin) {
        this.folder = folder;
        this.log = log;
        this.admin = admin;
    }

    /**
     * Supervises until the process is asked to end, then ends all nodes.
     *
     * @param folder the cluster
     * @param isForeground whether the supervisor is part of the command {@code up --foreground}
     * @throws IOException if the folder cannot be used
     */
    static void run(ClusterFolder folder, boolean isForeground) throws IOException, InterruptedException {
        CountDownLatch isEnded = new CountDownLatch(1);
        try (DiskLock _ = folder.lock();
             LogFile log = new LogFile(folder.path().resolve(ClusterFolder.SUPERVISOR_LOG), Clock.SYSTEM);
             ClusterAdmin admin = folder.entrance().connect()) {
            folder.noteProgram(Program.current(), isForeground);
            Supervisor supervisor = new Supervisor(folder, log, admin);
            Runtime.getRuntime().addShutdownHook(Threads.SYSTEM.create("teff-end", () -> {
                supervisor.events.add(new Event(null, null, Clock.SYSTEM.nowNs()));
                awaitEnd(isEnded);
            }));
            EndSignals.exitInOrder();
            supervisor.loop();
        } finally {
            isEnded.countDown();
        }
    }

    private static void awaitEnd(CountDownLatch isEnded) {
        try {
            if (!isEnded.await(2 * END_MS + 3 * KILL_MS, TimeUnit.MILLISECONDS)) {
                Runtime.getRuntime().halt(1);                   // no success is reported
            }
        } catch (InterruptedException _) {
            return;                                             // the process ends anyway
        }
    }

    private void loop() throws IOException, InterruptedException {
        log.accept("the supervisor begins, " + ProcessId.current());
        unlessDeleted(this::takeOver);
        long refreshedNs = Clock.SYSTEM.nowNs();
        while (true) {
            if (Clock.SYSTEM.nowNs() - refreshedNs > REFRESH_NS) {
                refreshedNs = Clock.SYSTEM.nowNs();
                admin.warm();                                   // so that a report finds a session
            }
            Event event = events.poll(POLL_MS, TimeUnit.MILLISECONDS);
            if (event != null) {
                if (event.node() == null) {
                    break;
                }
                unlessDeleted(() -> ended(event));
            }
            unlessDeleted(this::lookAtOthers);
            unlessDeleted(this::startRequested);
            if (!folder.exists() && running.isEmpty()) {
                log.accept("the supervisor ends: its folder was deleted");
                return;
            }
        }
        log.accept("the supervisor ends the nodes");
        endAll(folder, log);
        log.accept("the supervisor has ended");
    }

    /** Does a step. The step may fail in any way if the folder is deleted before or during the step. */
    private void unlessDeleted(Step step) throws IOException {
        try {
            step.run();
        } catch (IOException | CommandFailure e) {
            if (folder.exists()) {
                throw e;
            }
        }
    }

    /**
     * Starts the requested nodes. If the end of a node's last process is not noticed yet, the node is started after the
     * notice.
     */
    private void startRequested() throws IOException {
        List<LocalNode> starts = folder.takeStarts();
        if (starts.stream().anyMatch(node -> folder.nodes().stream().noneMatch(each -> isSame(each, node)))) {
            folder = ClusterFolder.open(folder.path());         // a superpeer was added
        }
        wanted.addAll(starts);
        for (LocalNode node : List.copyOf(wanted)) {
            Started started = running.get(node.name());
            if (started == null) {
                start(node);
            }
            if (started == null || started.id().isAlive()) {
                wanted.remove(node);
            }
        }
    }

    private static boolean isSame(LocalNode one, LocalNode other) {
        return one.name().equals(other.name());
    }

    /**
     * Takes over running nodes of an earlier supervisor, and starts the nodes of a new cluster, or of an ended cluster.
     */
    private void takeOver() throws IOException {
        boolean isFirst = true;
        for (LocalNode node : folder.nodes()) {
            Started started = node.started();
            if (started == null) {
                if (node.isSuperpeer() && !isFirst) {
                    Clock.SYSTEM.pause(this, STAGGER_NS);       // simultaneous starts of superpeers disturb each other
                }
                start(node);
            } else if (started.exitCode() == null) {
                log.accept("takes over " + node.name() + ", " + started.id());
                running.put(node.name(), started);
            }
            isFirst = false;
        }
    }

    /** Starts nodes without a supervisor, one by one. */
    static void startAlone(List<LocalNode> nodes, ClusterPlan plan) throws IOException {
        for (LocalNode node : nodes) {
            node.note(new Started(ProcessId.of(NodeJvm.start(node, plan).toHandle()), null));
            Clock.SYSTEM.pause(node, STAGGER_NS);
        }
    }

    private void start(LocalNode node) throws IOException {
        if (!folder.exists()) {
            return;
        }
        Process process = NodeJvm.start(node, folder.plan());
        Started started = new Started(ProcessId.of(process.toHandle()), null);
        node.note(started);
        running.put(node.name(), started);
        children.put(node.name(), process);
        log.accept("starts " + node.name() + ", " + started.id());
        var _ = process.onExit().thenAccept(ended -> events.add(new Event(node, ended, Clock.SYSTEM.nowNs())));
    }

    /** Processes of an earlier supervisor are no children of this process: the kernel does not report their ends. */
    private void lookAtOthers() throws IOException {
        List<LocalNode> gone = new ArrayList<>();
        for (LocalNode node : folder.nodes()) {
            Started started = running.get(node.name());
            if (started != null && !children.containsKey(node.name()) && !started.id().isAlive()) {
                gone.add(node);
            }
        }
        for (LocalNode node : gone) {
            ended(new Event(node, null, Clock.SYSTEM.nowNs()));
        }
    }

    private void ended(Event event) throws IOException {
        LocalNode node = event.node();
        Started started = node == null ? null : running.get(node.name());
        if (node == null || started == null) {
            return;
        }
        NodeLife life = node.life();
        int code = event.process() == null ? -1 : event.process().exitValue();
        running.remove(node.name());
        children.remove(node.name());
        if (!folder.exists()) {
            return;
        }
        if (life != null && !node.isSuperpeer()) {
            report(node, life, event.atNs());
        }
        note(node, new Started(started.id(), code));
        if (RestartMark.take(node.config().folder())) {
            wanted.add(node);
        }
        log.accept(node.name() + ", " + started.id() + ", has ended with code " + (code < 0 ? "(unknown)" : code));
    }

    /** Notes the end of a process; the folder of a removed superpeer may have another name by now. */
    private static void note(LocalNode node, Started ended) throws IOException {
        try {
            node.note(ended);
        } catch (IOException e) {
            if (Files.exists(node.folder())) {
                throw e;
            }
        }
    }

    /** Reports the end of a life to the superpeers, until a superpeer has answered. */
    private void report(LocalNode node, NodeLife life, long atNs) {
        Threads.SYSTEM.start("teff-report-" + node.name(), () -> {
            boolean isTaken = admin.reportEnd(life, REPORT_NS);
            log.accept("the end of " + node.name() + ", " + life + ": "
                + (isTaken ? "known to the superpeers after "
                    + TimeUnit.NANOSECONDS.toMillis(Clock.SYSTEM.nowNs() - atNs) + " ms"
                    : "no superpeer has answered, so its lease has to run out"));
        });
    }

    // ---- the end ----

    /**
     * Ends all nodes of a cluster; kills nodes that do not end in time. The superpeers end first. So no peer hands its
     * zones on to a peer that is about to end, and all peers begin again with the zones of before.
     */
    static void endAll(ClusterFolder folder, LogFile log) throws IOException {
        end(folder.nodes().stream().filter(LocalNode::isSuperpeer).toList(), log);
        end(folder.nodes().stream().filter(node -> !node.isSuperpeer()).toList(), log);
    }

    private static void end(List<LocalNode> nodes, LogFile log) throws IOException {
        List<LocalNode> left = new ArrayList<>();
        for (LocalNode node : nodes) {
            ProcessId id = node.process();
            if (id != null) {
                id.handle().ifPresent(ProcessHandle::destroy);
                left.add(node);
            }
        }
        await(left, END_MS);
        for (LocalNode node : left) {
            log.accept(node.name() + " does not end, and is killed");
            ProcessId id = node.process();
            if (id != null) {
                id.handle().ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        await(left, KILL_MS);
        for (LocalNode node : nodes) {
            Started started = node.started();
            if (started != null && started.exitCode() == null) {
                node.note(new Started(started.id(), left.contains(node) ? null : 0));
            }
        }
    }

    private static void await(List<LocalNode> nodes, long patienceMs) {
        long end = Clock.SYSTEM.nowNs() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        while (!nodes.isEmpty() && Clock.SYSTEM.nowNs() - end < 0) {
            nodes.removeIf(node -> node.process() == null);
            Clock.SYSTEM.pause(nodes, TimeUnit.MILLISECONDS.toNanos(POLL_MS));
        }
    }
}
