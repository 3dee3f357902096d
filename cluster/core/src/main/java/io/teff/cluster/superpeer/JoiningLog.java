package io.teff.cluster.superpeer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.consensus.LogMembers;
import io.teff.cluster.consensus.MemberFolder;
import io.teff.cluster.consensus.MemberLog;
import io.teff.cluster.consensus.NotLeadingException;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.LogOrigin;
import io.teff.cluster.message.PartAnswer;
import io.teff.cluster.message.PartRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The replicated log of a superpeer. The superpeer takes part in the log as soon as its folder permits.
 *
 * <p>A member whose folder has a log takes part at once. A member with an empty folder asks all other superpeers:
 * <ul>
 * <li>If all superpeers answer, and no superpeer took part in any term, no command exists: the cell is founded.
 * <li>If any superpeer took part, the cell exists, and this member has lost its disk. The member waits until the other
 *     superpeers commit, without the member, a command of the member, called a mark. So a majority of the other
 *     superpeers follows one leader, and every command committed with this member's help is in front of the mark in the
 *     log. Then the member begins as a newcomer without a vote ({@link MemberFolder}). After applying the mark, the
 *     member begins again as a voter. If the leader is lost meanwhile, the newcomer stops until a new leader exists:
 *     the newcomer refuses its vote, and would obstruct the election. An attempt without progress ends, and the next
 *     attempt begins with an empty folder.
 * <li>Otherwise the member waits. With most disks of a cell lost, the member waits for ever: nothing is guessed.
 * </ul>
 * A member may be away while the other superpeers delete log entries missing in the member's log. Such a member copies
 * the log of another superpeer, and continues as a voter. A member that ended because of a full disk is started again
 * when there is room.
 *
 * <p>Before taking part, the member does not lead, and reads an empty machine. After a copy, readers keep the old
 * machine until the new machine has caught up with the old machine: a machine that lags would list expired nodes as
 * alive and would miss the nodes against which this superpeer votes. Thread-safe.
 */
public final class JoiningLog implements SuperpeerLog {
    private static final long ASK_NS = TimeUnit.SECONDS.toNanos(1);
    /** Interval of checks whether the other superpeers have deleted entries missing in this superpeer's log. */
    private static final long WATCH_NS = TimeUnit.SECONDS.toNanos(3);
    /** Interval of checks whether a full disk has room. */
    private static final long ROOM_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /**
     * Longest time without progress of an attempt to read the log of the other superpeers; the next attempt starts
     * over.
     */
    static final long ATTEMPT_NS = TimeUnit.SECONDS.toNanos(20);
    /**
     * How long a newcomer looks for a leader: twice the time a leader needs to answer the newcomer, so that the other
     * superpeers can elect a leader soon.
     */
    static final long LEADER_NS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private static final int NO_SOURCE = -1;

    private static final String LOG_OF_OTHERS =
        "the log of the other superpeers, because its own is lost: most of them must run";

    private final int number;
    private final int superpeers;
    private final MemberFolder folder;
    private final LogMembers members;
    private final Clock clock;
    /** Random number of this process in the marks. */
    private final long process;
    private final MetadataMachine nothing;
    private final Object starting = new Object();
    private final AtomicInteger restarts = new AtomicInteger();
    private volatile @Nullable MemberLog log;
    /**
     * The log visible to readers: the current log, or the earlier log until the current log has caught up; null at
     * first.
     */
    private volatile @Nullable MemberLog shown;
    private volatile boolean isMember;
    private volatile boolean isClosed;
    private volatile @Nullable String failure;
    private volatile String waitsFor = "";
    private volatile boolean waitsForRoom;
    private int attempts;
    /**
     * Each attempt has a mark of its own: as a newcomer, the superpeer helps to commit entries behind an earlier mark.
     */
    private int marks;
    /** The superpeer whose log could not be copied last: the next copy is from a different superpeer, if possible. */
    private int failedSource = NO_SOURCE;
    private @Nullable Thread thread;

    /** How far a newcomer has come. */
    private enum Reading {
        /** The newcomer has everything. */
        DONE,
        /** The other superpeers have no leader. */
        STOPPED,
        /** There was no progress. */
        FAILED
    }

    /**
     * Makes a log without a part yet.
     *
     * @param number number of the superpeer
     * @param settings settings of the cluster
     * @param folder folder of the member
     * @param members starts the member
     * @param clock for the limits and intervals of this class
     * @param chance gives the number of the process
     */
    public JoiningLog(int number, MachineState.Settings settings, MemberFolder folder, LogMembers members,
                      Clock clock, Chance chance) {
        this.number = number;
        this.folder = folder;
        this.members = members;
        this.clock = clock;
        process = chance.nextLong();
        superpeers = settings.superpeers();
        nothing = new MetadataMachine(MachineState.initial(settings));
    }

    /**
     * Takes part at once, if the folder permits.
     *
     * @throws IOException if the folder cannot be used
     */
    public void start() throws IOException {
        if (superpeers == 1 || folder.part() == MemberFolder.Part.VOTER) {
            vote(start(false));
        }
    }

    /**
     * Runs on a separate thread. Takes part as soon as the other superpeers permit. Copies the log of another superpeer
     * whenever entries missing in this log were deleted everywhere else. Begins again when a full disk has room.
     *
     * @param requests sends requests of the superpeer
     */
    public void join(Requests requests) {
        CellClient cell = new CellClient(requests, superpeers, number);
        Thread joining = Threads.SYSTEM.create("teff-superpeer-join", () -> run(requests, cell));
        thread = joining;
        joining.start();
    }

    private void run(Requests requests, CellClient cell) {
        try {
            if (!isMember && folder.part() == MemberFolder.Part.NEWCOMER) {
                folder.endAttempt();                            // left by an ended process
            }
            while (!isClosed && !isMember) {
                switch (NewMember.next(askParts(requests))) {
                    case FOUND -> vote(startWhenRoom(false));
                    case REPLACE -> replace(requests, cell);
                    case WAIT -> waitsFor = "an answer of all other superpeers, because its folder is empty";
                }
                clock.park(this, PAUSE_NS);
            }
            watch(requests);
        } catch (IOException | RuntimeException | Error e) {
            failure = "it cannot take part in the cell: " + FailureText.of(e);
        }
    }

    private void watch(Requests requests) throws IOException {
        long lookNs = clock.nowNs() + WATCH_NS;
        while (!isClosed) {
            clock.park(this, Objects.equals(shown, log) ? Math.min(lookNs - clock.nowNs(), ROOM_NS) : PAUSE_NS);
            showNew();
            if (needsRoom()) {
                closeMember();
                startWhenRoom(false);
            }
            if (!isClosed && clock.nowNs() - lookNs >= 0) {
                if (!isLeading() && isBehind(requests) && members.hasRoom()) {
                    catchUp(requests);
                }
                lookNs = clock.nowNs() + WATCH_NS;
            }
        }
    }

    /** Closes the member; reads go on there. */
    private void closeMember() {
        synchronized (starting) {
            MemberLog current = log;
            if (current != null) {
                current.close();
            }
        }
    }

    /** Shows a new log to readers, if the new log has caught up with the earlier log. */
    private void showNew() {
        MemberLog current = log;
        MemberLog before = shown;
        if (current != null && before != null && !current.equals(before)
            && current.read(MetadataMachine::version) >= before.read(MetadataMachine::version)) {
            shown = current;
            restarts.incrementAndGet();
        }
    }

    /** Returns for each other superpeer whether it takes part, or null without an answer. */
    private List<@Nullable Boolean> askParts(Requests requests) {
        List<@Nullable Boolean> parts = new ArrayList<>();
        ask(requests).forEach((_, answer) -> parts.add(answer == null ? null : answer.hasPart()));
        return parts;
    }

    /** Returns the answer of each other superpeer, or null without an answer. */
    private Map<Integer, @Nullable PartAnswer> ask(Requests requests) {
        Map<Integer, CompletableFuture<@Nullable PartAnswer>> asked = new TreeMap<>();
        for (int other = 0; other < superpeers; other++) {
            if (other != number) {
                asked.put(other, ask(requests, other));
            }
        }
        Map<Integer, @Nullable PartAnswer> answers = new TreeMap<>();
        asked.forEach((other, answer) -> answers.put(other, answer.join()));
        return answers;
    }

    private CompletableFuture<@Nullable PartAnswer> ask(Requests requests, int other) {
        try {
            return requests.request(CellMessages.nid(other), CellMessages.PART, new PartRequest(number), ASK_NS)
                .handle((answer, thrown) -> thrown == null ? answer : null);
        } catch (NetworkException _) {                          // the request was not sent
            return CompletableFuture.completedFuture(null);
        }
    }

    private void vote(MemberLog voting) {
        shown = voting;
        waitsFor = "";
        isMember = true;
    }

    private void replace(Requests requests, CellClient cell) throws IOException {
        final long mark = Command.Newcomer.mark(process, ++marks);
        waitsFor = LOG_OF_OTHERS;
        if (!isCommitted(cell, mark)) {
            return;
        }
        attempts++;
        waitsFor = LOG_OF_OTHERS + "; attempt " + attempts;
        folder.beginNewcomer();
        Reading reading = readAll(requests, mark);
        while (reading == Reading.STOPPED && !isClosed) {
            clock.park(this, PAUSE_NS);
            if (isCommitted(cell, mark)) {                      // once more: so a leader exists again
                reading = readAll(requests, mark);
            }
        }
        if (reading == Reading.DONE) {
            folder.endNewcomer();
            vote(startWhenRoom(false));
        } else {
            folder.endAttempt();
        }
    }

    private boolean isCommitted(CellClient cell, long mark) {
        return cell.send(new Command.Newcomer(number, mark)).join() instanceof CommandReply.Done;
    }

    /** Reads the log of the other superpeers as a newcomer, until the mark is applied. */
    private Reading readAll(Requests requests, long mark) {
        if (!copy(requests)) {
            return Reading.FAILED;
        }
        final MemberLog newcomer = startWhenRoom(true);
        final Reading reading = readAll(newcomer, mark);
        log = null;
        newcomer.close();
        return reading;
    }

    private Reading readAll(MemberLog newcomer, long mark) {
        long position = newcomer.position();
        long progressNs = clock.nowNs();
        long leaderNs = progressNs;
        while (!isClosed && clock.nowNs() - progressNs < ATTEMPT_NS) {
            clock.park(this, PAUSE_NS);
            if (newcomer.read(machine -> machine.mark(number)) == mark) {
                return Reading.DONE;
            }
            progressNs = newcomer.position() == position ? progressNs : clock.nowNs();
            position = newcomer.position();
            leaderNs = newcomer.isElecting() ? leaderNs : clock.nowNs();
            if (clock.nowNs() - leaderNs >= LEADER_NS) {
                return Reading.STOPPED;
            }
        }
        return Reading.FAILED;
    }

    /**
     * Copies the log of another superpeer, if the other superpeers have deleted entries missing in this superpeer's
     * log. The member takes part in elections as before: the member has acknowledged nothing behind its own log, and
     * the snapshot has everything in its own log.
     *
     * @throws IOException if the copy cannot be put in place: a part of the copy must not be used
     */
    private void catchUp(Requests requests) throws IOException {
        waitsFor = "a copy of the log of another superpeer, because the others have deleted what is missing here";
        closeMember();
        copy(requests);
        if (folder.part() != MemberFolder.Part.VOTER) {         // part() also finishes or deletes a begun copy
            throw new IOException("the log is lost that it had before");
        }
        startWhenRoom(false);
        waitsFor = "";
    }

    private boolean isBehind(Requests requests) {
        return origins(requests).values().stream().anyMatch(this::isBehind);
    }

    private boolean isBehind(LogOrigin origin) {
        try {
            return folder.isBehind(origin);
        } catch (IOException _) {
            // the files of the folder change: the next check decides
            return false;
        }
    }

    private Map<Integer, LogOrigin> origins(Requests requests) {
        Map<Integer, LogOrigin> origins = new TreeMap<>();
        ask(requests).forEach((other, answer) -> {
            LogOrigin origin = answer == null ? null : answer.origin();
            if (origin != null) {
                origins.put(other, origin);
            }
        });
        return origins;
    }

    /**
     * Copies the log of the superpeer with the last snapshot, if this superpeer is behind the snapshot. Returns whether
     * this superpeer has the needed entries afterwards.
     */
    private boolean copy(Requests requests) {
        Optional<Map.Entry<Integer, LogOrigin>> best = origins(requests).entrySet().stream()
            .filter(origin -> isBehind(origin.getValue()))
            .max(Comparator.comparing((Map.Entry<Integer, LogOrigin> origin) -> origin.getKey() != failedSource)
                .thenComparing(origin -> origin.getValue().snapshot().position()));
        if (best.isEmpty()) {
            return true;
        }
        int source = best.get().getKey();
        boolean isCopied = members.copy(source, best.get().getValue(), () -> isClosed);
        failedSource = isCopied ? NO_SOURCE : source;
        return isCopied;
    }

    /** Starts a member as soon as the disk has room. */
    private MemberLog startWhenRoom(boolean isNewcomer) {
        final String waitsElse = waitsFor;
        while (!isClosed) {
            try {
                if (members.hasRoom()) {
                    final MemberLog started = start(isNewcomer);
                    waitsForRoom = false;
                    waitsFor = waitsElse;
                    return started;
                }
            } catch (Exception e) {                             // also checked exceptions that Aeron does not declare
                if (!members.isOfFullDisk(e) && members.hasRoom()) {
                    throw e;
                }
            }
            waitsForRoom = true;
            waitsFor = "room on its disk";
            clock.park(this, ROOM_NS);
        }
        throw new IllegalStateException("the superpeer was closed");
    }

    private MemberLog start(boolean isNewcomer) {
        synchronized (starting) {
            if (isClosed) {
                throw new IllegalStateException("the superpeer was closed");
            }
            MemberLog started = members.start(isNewcomer);
            log = started;
            return started;
        }
    }

    /** {@return the answer to a superpeer that asks whether the cell exists} */
    public PartAnswer part() {
        try {
            return new PartAnswer(!folder.isEmpty(), isMember && !needsRoom() ? folder.origin() : null);
        } catch (IOException _) {
            // the folder may have a log: so the asking superpeer must not found a cell
            return new PartAnswer(true, null);
        }
    }

    @Override
    public boolean needsRoom() {
        MemberLog current = log;
        return waitsForRoom || current != null && current.needsRoom();
    }

    /** {@return why the log has ended for good, for people; null before such an end} */
    public @Nullable String failure() {
        MemberLog current = log;
        return failure != null || current == null ? failure : current.failure();
    }

    /** {@return what a superpeer without a part waits for, for people; empty once it has one} */
    public String waitsFor() {
        return waitsFor;
    }

    // ---- the log ----

    @Override
    public boolean isMember() {
        return isMember;
    }

    @Override
    public CompletableFuture<CommandReply> propose(Command command) {
        MemberLog current = log;
        return current == null ? CompletableFuture.failedFuture(new NotLeadingException()) : current.propose(command);
    }

    @Override
    public boolean isLeading() {
        MemberLog current = log;
        return current != null && current.isLeading();
    }

    @Override
    public int restarts() {
        return restarts.get();
    }

    @Override
    public <T> T read(Function<MetadataMachine, T> reader) {
        MemberLog current = shown;
        return current == null ? reader.apply(nothing) : current.read(reader);
    }

    @Override
    public void close() {
        isClosed = true;
        Thread joining = thread;
        if (joining != null) {
            LockSupport.unpark(joining);
            Threads.join(joining);
        }
        closeMember();
    }
}
