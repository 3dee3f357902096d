package io.teff.cluster.raft;

import io.microraft.report.RaftGroupMembers;
import io.microraft.statemachine.StateMachine;
import io.teff.engine.os.DiskFullException;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Starts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Members of a cell in virtual time, with disks that lose unsynced bytes and a network that delays, doubles, reorders
 * and loses messages and can be cut in one direction. All that happens follows from the seed.
 *
 * <p>Checked all the time: no two members apply different commands at an index; nothing that was acknowledged is
 * missing in what any member has applied up to this index.
 */
final class RaftWorld {
    static final long MS = 1_000_000;
    private static final Path FOLDER = FaultDisk.ROOT;
    private static final int TOLD = Integer.getInteger("told", 80);

    final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<SimMember> members = new ArrayList<>();
    private final Map<Long, Long> applied = new HashMap<>();
    private final Map<Long, Long> hashes = new HashMap<>();
    private final Map<Long, Long> acknowledged = new HashMap<>();
    private final Set<Integer> cut = new HashSet<>();
    private final Deque<Supplier<String>> told = new ArrayDeque<>();
    private final RaftPlant plant;
    private final int lossPerMille;
    private final int doublePerMille;
    private final long latencyNs;
    private final int latePerMille;
    private final int snapshotCommands;
    private long nowNs = 1_000 * MS;
    private long numbers;
    private long commands;
    private long proposed;
    private int removals;
    private RaftCore.@Nullable Cell cell;
    private boolean isCalm;
    private @Nullable AssertionError failure;

    private record Event(long atNs, long number, Runnable task) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(number, other.number);
        }
    }

    RaftWorld(long seed, int count, RaftPlant plant) {
        this.plant = plant;
        Starts.SEED.count();
        random = new SplittableRandom(seed);
        lossPerMille = random.nextInt(3) == 0 ? random.nextInt(100) : 0;
        doublePerMille = random.nextInt(3) == 0 ? random.nextInt(100) : 0;
        latencyNs = (1 + random.nextInt(20)) * MS / 4;
        snapshotCommands = 2 + random.nextInt(random.nextBoolean() ? 6 : 60);
        latePerMille = random.nextInt(4) == 0 ? random.nextInt(200) : 5;
        for (int i = 0; i < count; i++) {
            members.add(new SimMember(i));
        }
    }

    /** A superpeer's part of the cell: its disk, and its process while it runs. */
    final class SimMember implements StateMachine {
        final int number;
        private FaultDisk disk = new FaultDisk();
        private @Nullable RaftCore core;
        private RaftId id;
        private int process;
        private long hash;
        private long index;
        private long slowUntilNs;
        private boolean hasBeenFull;
        private byte[] sent = {};
        private @Nullable RaftJournal journal;

        private SimMember(int number) {
            this.number = number;
            id = new RaftId(number, random.nextLong() | 1);
        }

        boolean isUp() {
            return core != null;
        }

        boolean isLeading() {
            return core != null && core.isLeading();
        }

        long index() {
            return index;
        }

        void start() {
            RaftCore.Cell entered = cell;
            if (core != null || entered == null) {
                return;
            }
            makeRoom();
            hasBeenFull = false;
            tell(() -> this + " starts");
            process++;
            hash = 0;
            index = 0;
            try {
                journal = RaftJournal.open(disk, FOLDER);
                RaftCore started = new RaftCore(id, entered, journal, plant.store(journal), plant.filter(), this,
                    snapshotCommands, () -> nowNs, random::nextLong, this::send, () -> { }, this::failed);
                id = started.id();
                core = started;
                started.start();
                run();
            } catch (IOException e) {
                throw new AssertionError(this + " cannot open its journal", e);
            }
        }

        /** Takes a superpeer that runs a step further into the cell. */
        private void admit(SimMember next) {
            RaftCore running = core;
            if (running != null && next.isUp()) {
                running.submit(() -> {
                    Admission.Step step = running.admit(next.id);
                    removals += step == Admission.Step.REMOVE ? 1 : 0;
                    tell(() -> this + " and " + next.id + ": " + step);
                });
                run();
            }
        }

        /** Fills the disk for a while; the member ends, and begins again when there is room. */
        void fill() {
            tell(() -> "the disk of " + this + " is full");
            hasBeenFull = true;
            disk.fillUp(random.nextInt(3) * 4_096L);
        }

        private void makeRoom() {
            disk.limit(Integer.MAX_VALUE);
        }

        private void failed(Throwable cause) {
            Throwable first = cause;
            while (first.getCause() != null) {
                first = first.getCause();
            }
            if (!(first instanceof DiskFullException) && !hasBeenFull) {
                fail(this + " has failed: " + cause);
            }
        }

        /** Runs due tasks, and again when the next is due. */
        private void run() {
            RaftCore running = core;
            if (running == null) {
                return;
            }
            long nextNs = running.run();
            if (running.hasEnded()) {
                tell(() -> this + (running.isRemoved() ? " was removed" : " has ended: its disk is full"));
                core = null;
                return;
            }
            if (nextNs < Long.MAX_VALUE) {
                int current = process;
                after(Math.max(nextNs, MS / 100), () -> {
                    if (process == current) {
                        run();
                    }
                });
            }
        }

        private void send(RaftId to, byte[] bytes) {
            sent = bytes;
            if (isCut(number, to.number()) || chance(lossPerMille)) {
                return;
            }
            for (int copies = chance(doublePerMille) ? 2 : 1; copies > 0; copies--) {
                long delay = random.nextLong(latencyNs) + (chance(latePerMille)
                    ? random.nextLong(2_000 * MS) : 0);
                after(delay, () -> members.get(to.number()).receive(number, bytes));
            }
        }

        /** Returns the index of the last entry in the log. */
        long lastIndex() {
            return Objects.requireNonNull(journal).state().lastIndex();
        }

        /** Takes an answer of another member by which that member has the entries up to an index. */
        void receiveAnswer(SimMember other, long lastIndex) {
            RaftCore running = Objects.requireNonNull(core);
            running.receive(other.number, RaftCodec.bytes(RaftBytes.MODEL.createAppendEntriesSuccessResponseBuilder()
                .setGroupId(running.cell()).setSender(other.id).setTerm(RaftCodec.read(sent).getTerm())
                .setLastLogIndex(lastIndex).setQuerySequenceNumber(0).setFlowControlSequenceNumber(0).build()));
            run();
        }

        private void receive(int from, byte[] bytes) {
            RaftCore running = core;
            if (running == null || isCut(from, number)) {
                return;
            }
            if (slowUntilNs > nowNs) {
                after(slowUntilNs - nowNs, () -> receive(from, bytes));
                return;
            }
            running.receive(from, bytes);
            run();
        }

        /** Ends the process; with a power cut, unsynced bytes may be lost. */
        void kill(boolean isPowerCut) {
            if (core == null) {
                return;
            }
            tell(() -> this + (isPowerCut ? " loses its power" : " is killed"));
            disk = isPowerCut ? disk.powerCut(Choices.random(random.nextLong())) : disk.killed();
            core = null;
            process++;
        }

        /** Loses the disk of a member that does not run. */
        void loseDisk() {
            tell(() -> this + " loses its disk");
            disk = new FaultDisk();
            id = new RaftId(number, random.nextLong() | 1);
        }

        void pause(long ns) {
            tell(() -> this + " stops for " + ns / MS + " ms");
            slowUntilNs = nowNs + ns;
        }

        void propose() {
            RaftCore running = core;
            if (running == null || !running.isLeading()) {
                return;
            }
            long command = ++commands;
            proposed++;
            int current = process;
            var _ = running.propose(ByteBuffer.allocate(Long.BYTES).putLong(command).array()).thenAccept(place -> {
                if (process != current) {
                    return;
                }
                Long before = acknowledged.put((Long) place, command);
                if (before != null && before != command) {
                    fail("index " + place + " acknowledged for " + before + " and " + command);
                }
            });
            run();
        }

        // ---- the machine ----

        @Override
        public Object runOperation(long at, Object operation) {
            byte[] bytes = (byte[]) operation;
            long value = bytes.length == 0 ? -1 : ByteBuffer.wrap(bytes).getLong();
            Long other = applied.putIfAbsent(at, value);
            if (other != null && other != value) {
                fail(this + " applies " + value + " at " + at + ", another member " + other);
            }
            if (at <= index) {
                fail(this + " applies " + at + " behind " + index);
            }
            hash = hash * 31 + value + at;
            index = at;
            Long otherHash = hashes.putIfAbsent(at, hash);
            if (otherHash != null && otherHash != hash) {
                fail(this + " has another state at " + at + " than another member");
            }
            return at;
        }

        @Override
        public void takeSnapshot(long at, Consumer<Object> pieces) {
            for (int i = 0; i < 3; i++) {
                pieces.accept(ByteBuffer.allocate(2 * Long.BYTES).putLong(plant.hash(hash)).putLong(index).array());
            }
        }

        @Override
        public void installSnapshot(long at, List<Object> pieces) {
            ByteBuffer bytes = ByteBuffer.wrap((byte[]) pieces.getFirst());
            hash = bytes.getLong();
            index = bytes.getLong();
        }

        @Override
        public Object getNewTermOperation() {
            return new byte[0];
        }

        @Override
        public String toString() {
            RaftCore running = core;
            return "member " + number + (running == null ? "" : running.isLeading() ? " (leads)" : "") + " at " + index;
        }

        String detail() {
            return this + " " + core;
        }
    }

    // ---- the world ----

    /** Notes that a promise is broken. The algorithm catches what its callees throw. */
    private void fail(String what) {
        if (failure == null) {
            tell(() -> what);
            failure = new AssertionError(what);
        }
    }

    void tell(Supplier<String> what) {
        long at = nowNs;
        String text = what.get();
        told.add(() -> at / MS + " ms: " + text);
        if (told.size() > TOLD) {
            told.removeFirst();
        }
    }

    String told() {
        StringBuilder all = new StringBuilder();
        told.forEach(each -> all.append('\n').append(each.get()));
        return all.toString();
    }

    boolean chance(int perMille) {
        return !isCalm && random.nextInt(1_000) < perMille;
    }

    private boolean isCut(int from, int to) {
        return cut.contains(from * 16 + to);
    }

    void cut(int from, int to) {
        tell(() -> "no messages from " + from + " to " + to);
        cut.add(from * 16 + to);
    }

    void heal() {
        cut.clear();
    }

    void calm() {
        tell(() -> "calm");
        isCalm = true;
        members.forEach(SimMember::makeRoom);
        heal();
    }

    List<SimMember> members() {
        return members;
    }

    long acknowledged() {
        return acknowledged.size();
    }

    long proposed() {
        return proposed;
    }

    int removals() {
        return removals;
    }

    void after(long ns, Runnable task) {
        events.add(new Event(nowNs + ns, numbers++, task));
    }

    /** Runs for some time, or until a condition holds; returns whether the condition held. */
    boolean run(long ns, BooleanSupplier condition) {
        long untilNs = nowNs + ns;
        while (!condition.getAsBoolean()) {
            Event event = events.peek();
            if (event == null || event.atNs() > untilNs) {
                nowNs = untilNs;
                return false;
            }
            events.remove();
            nowNs = Math.max(nowNs, event.atNs());
            event.task().run();
            if (failure != null) {
                throw failure;
            }
        }
        return true;
    }

    /** Founds the cell with the first member; the others enter one by one. */
    void found() {
        cell = new RaftCore.Cell(members.getFirst().id);
        members.getFirst().start();
        enterAll();
    }

    /** The leader lets each superpeer in that is no voter, and repeats that for ever. */
    private void enterAll() {
        SimMember leader = members.stream().filter(SimMember::isLeading).findAny().orElse(null);
        RaftCore core = leader == null ? null : leader.core;
        if (core != null && core.isSettled()) {
            RaftGroupMembers now = core.members();
            SimMember next = members.stream().filter(member -> !now.getVotingMembers().contains(member.id)).findFirst()
                .orElse(null);
            if (next != null) {
                next.start();
                leader.admit(next);
            }
        }
        after(30 * MS + random.nextLong(100 * MS), this::enterAll);
    }

    /** Returns whether all superpeers run and are voters with their present folders. */
    boolean isComplete() {
        SimMember leader = members.stream().filter(SimMember::isLeading).findAny().orElse(null);
        RaftCore core = leader == null ? null : leader.core;
        return core != null && core.isSettled() && core.members().getMembers().size() == members.size()
            && members.stream().allMatch(member -> member.isUp() && core.members().getVotingMembers()
            .contains(member.id));
    }

    /** Checks that all acknowledged commands are applied where they were acknowledged. */
    void check() {
        acknowledged.forEach((place, command) -> {
            Long there = applied.get(place);
            if (there == null || !there.equals(command)) {
                throw new AssertionError("command " + command + " was acknowledged at " + place + ", where " + there
                    + " is applied");
            }
        });
    }
}
