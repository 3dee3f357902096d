package io.teff.cluster.consensus;

import io.teff.cluster.cell.Requests;
import io.teff.cluster.consensus.JoiningState.State;
import io.teff.cluster.message.PartAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.util.Objects;
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
 * <p>{@link JoiningState} has the states.
 *
 * <p>Before taking part, the member does not lead, and reads an empty machine. After a copy, readers keep the old
 * machine until the new machine has caught up with the old machine: a machine that lags would list expired nodes as
 * alive and would miss the nodes against which this superpeer votes.
 *
 * <p>Thread-safe. The joining thread makes all moves but the move to CLOSED, which the closing thread makes. Before
 * {@link #join}, the starting thread takes the place of the joining thread. State and logs are volatile, for any
 * reader.
 */
public final class JoiningLog implements SuperpeerLog {
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

    private static final String LOG_OF_OTHERS =
        "the log of the other superpeers, because its own is lost: most of them must run";

    private final int number;
    private final int superpeers;
    private final MemberFolder folder;
    private final LogMembers members;
    private final Clock clock;
    private final Threads threads;
    /** Random number of this process in the marks. */
    private final long process;
    private final MetadataMachine nothing;
    private final Object starting = new Object();
    private final AtomicInteger restarts = new AtomicInteger();
    private final JoiningState state = new JoiningState();
    private final LogSource source;
    private volatile @Nullable MemberLog log;
    /**
     * The log visible to readers: the current log, or the earlier log until the current log has caught up; null before
     * this superpeer takes part.
     */
    private volatile @Nullable MemberLog shown;
    private volatile @Nullable Thread thread;

    // ---- of the joining thread ----
    private int attempts;
    /**
     * Each attempt has a mark of its own: as a newcomer, the superpeer helps to commit entries behind an earlier mark.
     */
    private int marks;

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
     * @param platform clock for the limits and intervals of this class; threads, and chance for the number of the
     * process
     */
    public JoiningLog(int number, MachineState.Settings settings, MemberFolder folder, LogMembers members,
                      Platform platform) {
        this.number = number;
        this.folder = folder;
        this.members = members;
        clock = platform.clock();
        threads = platform.threads();
        process = platform.chance().nextLong();
        superpeers = settings.superpeers();
        nothing = new MetadataMachine(MachineState.initial(settings));
        source = new LogSource(folder, members, state::isClosed);
    }

    /**
     * Takes part at once, if the folder permits.
     *
     * @throws IOException if the folder cannot be used
     */
    public void start() throws IOException {
        if (superpeers == 1 || folder.part() == MemberFolder.Part.VOTER) {
            vote(State.ASKING, start(false));
        }
    }

    /**
     * Runs on a separate thread. Takes part as soon as the other superpeers permit. Copies the log of another superpeer
     * whenever entries missing in this log were deleted everywhere else. Begins again when a full disk has room.
     *
     * @param requests sends requests of the superpeer
     */
    public void join(Requests requests) {
        OtherMembers others = new OtherMembers(number, superpeers, requests);
        Thread joining = threads.create("teff-superpeer-join", () -> run(others));
        thread = joining;
        joining.start();
    }

    private void run(OtherMembers others) {
        try {
            if (!isMember() && folder.part() == MemberFolder.Part.NEWCOMER) {
                folder.endAttempt();                            // left by an ended process
            }
            while (!state.isClosed() && !isMember()) {
                switch (NewMember.next(others.parts())) {
                    case FOUND -> vote(State.ASKING, startWhenRoom(false));
                    case REPLACE -> replace(others);
                    case WAIT -> state.waits("an answer of all other superpeers, because its folder is empty");
                }
                clock.park(this, PAUSE_NS);
            }
            watch(others);
        } catch (IOException | RuntimeException | Error e) {
            state.fails("it cannot take part in the cell: " + FailureText.of(e));
        }
    }

    private void watch(OtherMembers others) throws IOException {
        long lookNs = clock.nowNs() + WATCH_NS;
        while (!state.isClosed()) {
            clock.park(this, Objects.equals(shown, log) ? Math.min(lookNs - clock.nowNs(), ROOM_NS) : PAUSE_NS);
            showNew();
            if (needsRoom()) {
                closeMember();
                startWhenRoom(false);
            }
            if (!state.isClosed() && clock.nowNs() - lookNs >= 0) {
                if (!isLeading() && source.isBehind(others) && members.hasRoom()) {
                    catchUp(others);
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

    private void vote(State from, MemberLog voting) {
        shown = voting;
        state.moves(from, State.VOTING, "");
    }

    private void replace(OtherMembers others) throws IOException {
        final long mark = Command.Newcomer.mark(process, ++marks);
        state.waits(LOG_OF_OTHERS);
        if (!others.commit(mark)) {
            return;
        }
        attempts++;
        state.moves(State.ASKING, State.READING, LOG_OF_OTHERS + "; attempt " + attempts);
        folder.beginNewcomer();
        Reading reading = readAll(others, mark);
        while (reading == Reading.STOPPED && !state.isClosed()) {
            clock.park(this, PAUSE_NS);
            if (others.commit(mark)) {                          // once more: so a leader exists again
                reading = readAll(others, mark);
            }
        }
        if (reading == Reading.DONE) {
            folder.endNewcomer();
            vote(State.READING, startWhenRoom(false));
        } else {
            folder.endAttempt();
            state.moves(State.READING, State.ASKING, state.text());
        }
    }

    /** Reads the log of the other superpeers as a newcomer, until the mark is applied. */
    private Reading readAll(OtherMembers others, long mark) {
        if (!source.copy(others)) {
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
        while (!state.isClosed() && clock.nowNs() - progressNs < ATTEMPT_NS) {
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
    private void catchUp(OtherMembers others) throws IOException {
        state.moves(State.VOTING, State.COPYING,
            "a copy of the log of another superpeer, because the others have deleted what is missing here");
        closeMember();
        source.copy(others);
        if (folder.part() != MemberFolder.Part.VOTER) {         // part() also finishes or deletes a begun copy
            throw new IOException("the log is lost that it had before");
        }
        startWhenRoom(false);
        state.moves(State.COPYING, State.VOTING, "");
    }

    /** Starts a member as soon as the disk has room; the state is the same afterwards. */
    private MemberLog startWhenRoom(boolean isNewcomer) {
        final State before = state.state();
        final String text = state.text();
        while (!state.isClosed()) {
            try {
                if (members.hasRoom()) {
                    final MemberLog started = start(isNewcomer);
                    if (state.state() == State.NO_ROOM) {
                        state.moves(State.NO_ROOM, before, text);
                    }
                    return started;
                }
            } catch (Exception e) {                             // also checked exceptions that Aeron does not declare
                if (!members.isOfFullDisk(e) && members.hasRoom()) {
                    throw e;
                }
            }
            if (state.state() == before) {
                state.moves(before, State.NO_ROOM, "room on its disk");
            }
            clock.park(this, ROOM_NS);
        }
        throw new IllegalStateException("the superpeer was closed");
    }

    private MemberLog start(boolean isNewcomer) {
        synchronized (starting) {
            if (state.isClosed()) {
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
            return new PartAnswer(!folder.isEmpty(), isMember() && !needsRoom() ? folder.origin() : null);
        } catch (IOException _) {
            // the folder may have a log: so the asking superpeer must not found a cell
            return new PartAnswer(true, null);
        }
    }

    @Override
    public boolean needsRoom() {
        MemberLog current = log;
        return state.state() == State.NO_ROOM || current != null && current.needsRoom();
    }

    /** {@return why the log has ended for good, for people; null before such an end} */
    public @Nullable String failure() {
        String failure = state.failure();
        MemberLog current = log;
        return failure != null || current == null ? failure : current.failure();
    }

    /** {@return what a superpeer without a part waits for, for people; empty once it has one} */
    public String waitsFor() {
        return state.waitsFor();
    }

    // ---- the log ----

    @Override
    public boolean isMember() {
        return shown != null;
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
        state.closes();
        Thread joining = thread;
        if (joining != null) {
            LockSupport.unpark(joining);
            Threads.join(joining);
        }
        closeMember();
    }
}
