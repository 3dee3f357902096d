package io.teff.test.cluster.kills;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.control.CellLink;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster of processes, looked at as {@code ./teff cluster status} does. For one thread. */
abstract class TestedCluster implements AutoCloseable {
    /** Backups of each zone. */
    static final int BACKUPS = 2;
    /** Far beyond what a busy machine needs. */
    static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(4);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int TAIL_BYTES = 2_000;
    /** A new backup of a zone that does not exist, with the names of 200 nodes. */
    private static final Command LONG = new Command.AddBackup(0, 0, Collections.nCopies(200,
        new NodeRef(50_000, 1_000_000)));

    private final Path home;
    private final int peers;
    /** Zones whose loss was accepted: they have no owner any longer, and are not looked at. */
    private Set<Integer> lost = Set.of();

    /**
     * Makes a cluster, which the subclass starts.
     *
     * @param home folder of the logs of all processes
     * @param peers number of peers, more than {@link #BACKUPS}
     */
    TestedCluster(Path home, int peers) {
        this.home = home;
        this.peers = peers;
    }

    /** Connects a client whose calls have a generous deadline. */
    abstract ClusterStore connect();

    /** Returns the names of the superpeers, in the order of their numbers. */
    abstract List<String> superpeers();

    /** Returns the connection that looks at the cluster. */
    abstract CellLink link();

    /** Ends all processes. */
    @Override
    public abstract void close() throws IOException;

    // ---- superpeers ----

    /** Returns the status of a superpeer, or null if it does not answer. */
    private NodeStatus status(String name) {
        return link().status(CellMessages.nid(superpeers().indexOf(name)), false).join();
    }

    /** Waits until a superpeer leads that is not one of those which were killed. Returns its name. */
    String awaitLeader(List<String> killed) {
        List<String> found = new ArrayList<>();
        awaitTrue("a superpeer leads", () -> {
            for (String name : superpeers()) {
                NodeStatus status = killed.contains(name) ? null : status(name);
                if (status != null && status.standing().isLeading()) {
                    link().leads(superpeers().indexOf(name));
                    found.add(name);
                    return true;
                }
            }
            return false;
        });
        return found.getFirst();
    }

    /** Returns whether one of some superpeers leads. */
    boolean leads(List<String> names) {
        return names.stream().map(this::status).anyMatch(status -> status != null && status.standing().isLeading());
    }

    /** Waits until a command is committed. */
    void commit() {
        awaitTrue("a command is committed", () -> link().send(new Command.ZoneSought(0), 0) != null);
    }

    /** Returns the newest version that a superpeer has. */
    long version() {
        return superpeers().stream().mapToLong(this::version).max().orElseThrow();
    }

    /** Waits until each superpeer has a version, or a later one. */
    void awaitVersion(long version) {
        for (String name : superpeers()) {
            awaitTrue(name + " has version " + version, () -> version(name) >= version);
        }
    }

    /** Returns the version of a superpeer's tables, or -1 if it does not answer. */
    long version(String superpeer) {
        NodeStatus status = status(superpeer);
        return status == null ? -1 : status.standing().tableVersion();
    }

    /** Waits until a command of some 2 KB is committed, which changes nothing. */
    void commitLong() {
        awaitTrue("a long command is committed", () -> link().send(LONG, 0) != null);
    }

    // ---- looking ----

    /** Returns the rows of all zones, without those whose loss was accepted. */
    List<ZoneRow> rows() {
        await("a superpeer answers", _ -> true);
        return known();
    }

    private List<ZoneRow> known() {
        return link().tables().zones().stream().filter(row -> !isLost(row.zone())).toList();
    }

    /** Leaves zones out from now on: their loss was accepted. */
    void acceptLoss(Set<Integer> zones) {
        lost = Set.copyOf(zones);
    }

    /** Returns whether the loss of a zone was accepted. */
    boolean isLost(int zone) {
        return lost.contains(zone);
    }

    /** Waits until the rows of all zones are as they should be. */
    void awaitRows(String what, Predicate<List<ZoneRow>> condition) {
        await(what, condition);
    }

    /** Returns the lives of peers that count. */
    Set<NodeRef> lives() {
        await("a superpeer answers", _ -> true);
        return link().tables().nodes().stream().filter(row -> row.isAlive() && row.roles().takesBackups())
            .map(NodeRow::reference).collect(Collectors.toSet());
    }

    /** Waits until a later life of a node counts: the next one, or one after it on a busy machine. */
    void awaitLifeAfter(NodeRef before) {
        awaitTrue("another life after " + before, () -> lives().stream()
            .anyMatch(life -> life.nid() == before.nid() && life.incarnation() > before.incarnation()));
    }

    /** Waits until a life counts no longer, and all zones are served. */
    void awaitServed(NodeRef dead) {
        await("all zones are served after the end of " + dead, _ -> !link().tables().isAlive(dead)
            && link().tables().node(dead.nid()) != null && known().stream()
            .allMatch(row -> row.state().isServed() && !dead.equals(row.owner())));
    }

    /** Waits until all peers live, and all zones are served and have their backups. */
    void awaitBacked() {
        await("all zones have their backups", rows -> !rows.isEmpty() && alive() == peers && rows.stream().allMatch(
            row -> row.state().isServed() && row.backups().size() == BACKUPS && row.learners().isEmpty()));
    }

    /** Waits until something holds. */
    void awaitTrue(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS) + " s: " + what + "\n"
                    + text() + logs());
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private long alive() {
        return link().tables().nodes().stream().filter(row -> row.isAlive() && row.roles().takesBackups()).count();
    }

    private void await(String what, Predicate<List<ZoneRow>> condition) {
        long end = System.nanoTime() + LIMIT_NS;
        while (!(link().refresh() && condition.test(known()))) {
            List<ZoneRow> gone = known().stream().filter(row -> row.state() == ZoneState.LOST).toList();
            if (!gone.isEmpty() || System.nanoTime() - end > 0) {
                throw new AssertionError((gone.isEmpty() ? "not within " + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS)
                    + " s: " + what : "zones are lost: " + gone) + "\n" + text() + logs());
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** Returns the number of zones. */
    int zones() {
        return link().tables().zones().size();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (NodeRow row : link().tables().nodes()) {
            text.append(row).append('\n');
        }
        for (ZoneRow row : link().tables().zones()) {
            text.append(row).append('\n');
        }
        return text.toString();
    }

    /** Returns the ends of the logs of all processes. */
    String logs() {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(it -> it.toString().matches(".*[.](log|out)")).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int from = Math.max(0, bytes.length - TAIL_BYTES);
                text.append("---- ").append(file).append('\n').append(new String(bytes, from, bytes.length - from,
                    StandardCharsets.UTF_8)).append('\n');
            }
        } catch (IOException e) {
            text.append(e);
        }
        return text.toString();
    }
}
