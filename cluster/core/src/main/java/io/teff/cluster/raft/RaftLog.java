package io.teff.cluster.raft;

import io.microraft.RaftEndpoint;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.SuperpeersFile;
import io.teff.cluster.consensus.NotLeadingException;
import io.teff.cluster.consensus.ProposalCodec;
import io.teff.cluster.consensus.SnapshotBound;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.message.EnterAnswer;
import io.teff.cluster.message.EnterRequest;
import io.teff.cluster.message.PartAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneWidth;
import io.teff.cluster.raft.PartState.State;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.engine.os.PrivateFolder;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The replicated log as seen by a superpeer, on {@link RaftCore}.
 *
 * <p><b>How a superpeer gets its part.</b> A superpeer with a journal continues. A superpeer with an empty folder must
 * not guess: an existing cell may have commands that only the lost disk and one more disk had. So the superpeer asks
 * all others:
 * <ul>
 * <li>If any superpeer took part, the cell exists. The superpeer asks the leader to be taken in, as a learner first,
 *     then in place of its earlier member ({@link Admission}).
 * <li>If all others have answered, and none took part, then superpeer 0 founds the cell, alone, and takes the others
 *     in. The cell accepts commands once all superpeers are voters. So each command of the cell is on the disks of a
 *     majority of all superpeers.
 * <li>Otherwise the superpeer waits. With most disks of a cell lost it waits for ever: nothing is guessed.
 * </ul>
 *
 * <p><b>Restarts.</b> A member whose journal has failed, or with a full disk, ends and begins again from its journal.
 * Readers keep the old machine until the new machine has caught up: a machine that lags would list expired nodes as
 * alive, and would miss the nodes against which this superpeer votes.
 *
 * <p>Thread-safe. One thread does all work of the member, and looks at the state between its tasks.
 */
public final class RaftLog implements SuperpeerLog {
    /** Longest proposal: 64 KiB. A message has at most 128 proposals. */
    private static final int PROPOSAL_BYTES_MAX = 64 << 10;
    private static final long CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Time between two entries that prove a leadership. */
    private static final long PROVE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long RESTART_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Without a leader for so long, a member asks whether it is still a member. */
    private static final long LEADERLESS_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long HAND_OVER_NS = TimeUnit.MILLISECONDS.toNanos(800);
    /** Room on the disk that a member needs to begin, beside twice its journal: 4 MiB. */
    private static final long ROOM_BYTES = 4 << 20;

    private final Config config;
    private final Disk disk;
    private final Clock clock;
    private final Platform platform;
    private final Consumer<Throwable> events;
    private final Thread thread;
    private final RaftId drawn;
    private final long life;
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicInteger restarts = new AtomicInteger();
    private final PartState state = new PartState();
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final Set<CompletableFuture<CommandReply>> proposals = ConcurrentHashMap.newKeySet();
    private volatile RaftCore.@Nullable Sender sender;
    private volatile @Nullable RaftCore core;
    private volatile @Nullable RaftMachine machine;
    /**
     * The machine visible to readers: the current machine, or the earlier machine until the current one has caught up;
     * null before this superpeer takes part.
     */
    private volatile @Nullable RaftMachine shown;
    private final MetadataMachine nothing;
    private volatile @Nullable OtherSuperpeers others;
    private volatile boolean accepts;
    private volatile boolean needsRoom;

    // ---- of the member's thread ----
    private @Nullable RaftJournal journal;
    private boolean hasLed;
    private long leaderships;
    /** Whether an entry is on its way that proves the leadership. */
    private boolean isProving;
    private long proveNs;
    private boolean isTakingSnapshot;
    private long keptVersion;
    private long askNs;
    private long restartNs;
    private long leaderNs;
    private boolean isAsking;

    /**
     * Configuration.
     *
     * @param number number of the superpeer, from 0
     * @param address of the superpeer, for the other nodes; empty for none
     * @param folder of the journal; the caller holds the lock
     * @param settings of a new cluster; a cluster that exists keeps its settings
     * @param bound how long the log may become until the next snapshot
     * @param known the superpeers as known before the first look at the tables
     */
    public record Config(int number, String address, Path folder, MachineState.Settings settings, SnapshotBound bound,
                         SuperpeerSet known) {}

    /**
     * Makes a log without a part yet.
     *
     * @param config of the member
     * @param platform clock, threads, chance and disk
     * @param events receives what people should know
     */
    public RaftLog(Config config, Platform platform, Consumer<Throwable> events) {
        this.config = config;
        this.platform = platform;
        this.events = events;
        disk = platform.disk();
        clock = platform.clock();
        drawn = new RaftId(config.number(), platform.chance().nextLong() | 1);
        life = platform.chance().nextLong();
        nothing = new MetadataMachine(MachineState.initial(config.settings()));
        thread = platform.threads().create("teff-consensus", this::run);
        askNs = clock.nowNs();
        proveNs = askNs;
        leaderNs = askNs;
        keptVersion = config.known().version();
    }

    /**
     * Reads the folder of a member, which may run. Changes nothing.
     *
     * @param disk has the folder
     * @param folder of the journal
     * @return whether the member has a vote
     * @throws IOException if the folder cannot be read
     */
    public static boolean isVoter(Disk disk, Path folder) throws IOException {
        try {
            return RaftJournal.look(disk, folder).isVoter();
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /**
     * Reads the superpeers that the superpeer of a folder has seen last.
     *
     * @param disk has the folder
     * @param folder of the journal
     * @return the superpeers; without superpeers for a new folder
     */
    public static SuperpeerSet known(Disk disk, Path folder) {
        return SuperpeersFile.read(disk, folder);
    }

    /**
     * Takes part at once, if the folder permits, and begins to work.
     *
     * @throws IOException if the folder cannot be used
     */
    public void start() throws IOException {
        disk.createSyncedFolders(config.folder());
        PrivateFolder.close(config.folder());
        OldCells.refuse(disk, config.folder());
        if (RaftJournal.exists(disk, config.folder())) {
            try {
                begin(null);
            } catch (DamagedJournalException e) {
                throw new IOException(FailureText.of(e) + OldCells.ADVICE, e);
            }
        } else if (config.settings().superpeers() == 1 && config.known().version() == 0) {
            begin(new RaftCore.Cell(drawn));
        }
        thread.start();
    }

    /**
     * Talks to the other superpeers from now on.
     *
     * @param requests sends requests of the superpeer
     * @param messages sends messages of the log to other superpeers, by their numbers, or loses the messages
     */
    public void join(Requests requests, Messages messages) {
        sender = (to, bytes) -> messages.send(to.number(), bytes);
        others = new OtherSuperpeers(config.number(), config.address(), this::superpeers, requests);
        LockSupport.unpark(thread);
    }

    /** Sends messages of the log. */
    @FunctionalInterface
    public interface Messages {
        /**
         * Sends a message, or loses it.
         *
         * @param superpeer number of the other superpeer
         * @param bytes of the message
         */
        void send(int superpeer, byte[] bytes);
    }

    /**
     * Takes a message of the log. Messages of nodes that are no superpeers are dropped.
     *
     * @param superpeer number of the superpeer that has sent the message
     * @param bytes of the message
     */
    public void receive(int superpeer, byte[] bytes) {
        RaftCore running = core;
        if (running != null && superpeer >= 0 && superpeer <= SuperpeerSet.NUMBER_MAX) {
            running.receive(superpeer, bytes);
        }
    }

    // ---- the member's thread ----

    private void run() {
        while (!state.isClosed()) {
            long nextNs = CYCLE_NS;
            try {
                RaftCore running = core;
                if (running != null) {
                    nextNs = Math.min(nextNs, running.run());
                    look(running);
                }
                for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
                    answer.run();
                }
                if (!state.hasFailed()) {
                    join();
                }
            } catch (RuntimeException | Error e) {
                events.accept(e);
            }
            clock.park(this, nextNs);
        }
        end();
    }

    /** Begins with the journal of the folder, or enters a cell with an empty folder. */
    private void begin(RaftCore.@Nullable Cell entered) throws IOException {
        RaftJournal opened = RaftJournal.open(disk, config.folder());
        RaftMachine fresh = new RaftMachine(config.settings(), events);
        RaftCore started = new RaftCore(drawn, entered, opened, fresh, (int) Math.min(Integer.MAX_VALUE / 2,
            config.bound().commands()), clock, platform.chance(), this::send, () -> LockSupport.unpark(thread), events);
        journal = opened;
        machine = fresh;
        core = started;
        hasLed = false;
        started.start();
        if (opened.state().isVoter() || entered != null && entered.founder().equals(drawn)) {
            vote();
        } else {
            state.enters("the log of the other superpeers, because its own is lost: most of them must run");
        }
    }

    private void send(RaftId to, byte[] bytes) {
        RaftCore.Sender current = sender;
        if (current != null) {
            current.send(to, bytes);
        }
    }

    private void vote() {
        state.votes();
        if (shown == null) {
            shown = machine;
        }
    }

    private void look(RaftCore running) {
        RaftMachine current = machine;
        RaftJournal own = journal;
        if (current == null || own == null) {
            return;
        }
        if (running.hasEnded() || current.hasEnded()) {
            ended(running, current);
            return;
        }
        lead(running);
        if (state.state() == State.ENTERING && own.state().isVoter()) {
            vote();
        }
        showNew(current);
        keepSuperpeers(current);
        if (current.bytes() >= config.bound().bytes() && !isTakingSnapshot) {
            isTakingSnapshot = true;
            var _ = running.snapshot().whenComplete((_, _) -> isTakingSnapshot = false);
        }
        if (running.leader() != null) {
            leaderNs = clock.nowNs();
        }
    }

    /**
     * Accepts commands as a leader once an entry of this leadership is committed: then this member has applied all
     * commands that were ever acknowledged. The algorithm refuses an entry while too many entries are not committed,
     * and after a start no entry is known to be committed. So a refused entry is proposed again.
     */
    private void lead(RaftCore running) {
        if (running.isLeading() != hasLed) {
            hasLed = !hasLed;
            leaderships++;
            accepts = false;
            isProving = false;
        }
        final long now = clock.nowNs();
        if (hasLed && !accepts && !isProving && now - proveNs >= 0) {
            proveNs = now + PROVE_NS;
            prove(running, new byte[0], this::proved);
        }
    }

    /** Proposes an entry, and goes on after its commit, unless this member has lost its leadership meanwhile. */
    private void prove(RaftCore running, byte[] entry, Consumer<RaftCore> next) {
        final long leadership = leaderships;
        isProving = true;
        var _ = running.propose(entry).whenComplete((_, failure) -> onThread(() -> {
            if (leadership == leaderships) {
                isProving = false;
                if (failure == null) {
                    next.accept(running);
                }
            }
        }));
    }

    /** An entry of this leadership is committed. The first command of a new cell has the settings of the cluster. */
    private void proved(RaftCore running) {
        RaftMachine current = machine;
        if (current == null || current.read(MetadataMachine::version) > 0) {
            accepts = true;
            return;
        }
        // the width first: a member that leads later finds the tables empty, and proposes both again
        int width = config.settings().scatterWidth();
        if (width > 0) {
            prove(running, proposal(new ZoneWidth(width)), this::proposeBegin);
        } else {
            proposeBegin(running);
        }
    }

    private void proposeBegin(RaftCore running) {
        Command begin = new Command.Begin(config.settings().superpeers(), config.settings().backups());
        prove(running, proposal(begin), _ -> accepts = true);
    }

    private byte[] proposal(Command command) {
        return ProposalCodec.bytes(new ProposalCodec.Proposal(config.number(), life, sequence.incrementAndGet(),
            command));
    }

    /** Notes the superpeers for the next start, because the configuration may have old addresses by then. */
    private void keepSuperpeers(RaftMachine current) {
        SuperpeerSet now = current.read(MetadataMachine::superpeers);
        if (now.version() > keptVersion) {
            keptVersion = now.version();
            if (!now.isPart(config.number())) {
                state.waits("nothing: the cluster has removed this superpeer; end it");
            }
            try {
                SuperpeersFile.write(disk, config.folder(), now);
            } catch (IOException e) {
                events.accept(e);
            }
        }
    }

    /** Shows a new machine to readers, if the new machine has caught up with the earlier one. */
    private void showNew(RaftMachine current) {
        RaftMachine before = shown;
        if (before != null && !before.equals(current)
            && current.read(MetadataMachine::version) >= before.read(MetadataMachine::version)
            && current.read(RaftLog::revision) >= before.read(RaftLog::revision)) {
            shown = current;
            restarts.incrementAndGet();
        }
    }

    private static long revision(MetadataMachine machine) {
        return machine.registry().revision();
    }

    private void ended(RaftCore running, RaftMachine current) {
        accepts = false;
        if (current.hasEnded()) {
            state.fails("the replicated log has ended, see the lines above in the node's log");
        }
        needsRoom = isShort();
        if (needsRoom) {
            events.accept(new DiskFullException(config.folder() + ": the disk is full; the superpeer goes on when "
                + (roomBytes() >> 20) + " MiB are free", null));
        }
        running.close();
        core = null;
        failAll();
        restartNs = clock.nowNs() + RESTART_NS;
    }

    private long roomBytes() {
        RaftJournal own = journal;
        return ROOM_BYTES + (own == null ? 0 : 2 * own.bytes());
    }

    private boolean isShort() {
        try {
            return disk.usableBytes(config.folder()) < roomBytes();
        } catch (IOException _) {
            return false;
        }
    }

    private void end() {
        RaftCore running = core;
        if (running != null) {
            running.close();
        }
    }

    // ---- the way in ----

    private void join() {
        final long now = clock.nowNs();
        if (core == null && state.state() != State.ASKING) {
            if (now - restartNs >= 0) {
                restart(now);
            }
            return;
        }
        final OtherSuperpeers asked = others;
        if (asked == null || isAsking || now - askNs < 0) {
            return;
        }
        askNs = now + ASK_NS;
        switch (state.state()) {
            case ASKING -> {
                isAsking = true;
                var _ = asked.parts().whenComplete((parts, _) -> onThread(() -> answered(parts)));
            }
            case ENTERING -> enter(asked);
            case VOTING -> {
                if (now - leaderNs > LEADERLESS_NS) {
                    enter(asked);                               // the member may have been replaced
                }
            }
            default -> { }
        }
    }

    /** Does a task between two cycles of the member's thread. */
    private void onThread(Runnable task) {
        answers.add(task);
        LockSupport.unpark(thread);
    }

    private void restart(long now) {
        restartNs = now + RESTART_NS;
        needsRoom = isShort();
        if (needsRoom) {
            return;
        }
        try {
            if (RaftJournal.exists(disk, config.folder())) {
                begin(null);
            } else {
                state.asks();                                   // the disk was full before the first record
            }
        } catch (DamagedJournalException e) {
            state.fails(FailureText.of(e) + OldCells.ADVICE);
        } catch (IOException e) {
            events.accept(e);
        }
    }

    private void answered(@Nullable List<@Nullable Boolean> parts) {
        isAsking = false;
        OtherSuperpeers asked = others;
        if (parts == null || asked == null || state.state() != State.ASKING) {
            return;
        }
        if (parts.contains(Boolean.TRUE) || config.known().version() > 0) {
            state.waits("the log of the other superpeers, because its own is lost: most of them must run");
            enter(asked);
        } else if (parts.contains(null)) {
            state.waits("an answer of all other superpeers, because its folder is empty");
        } else if (config.number() == 0) {
            beginIn(new RaftCore.Cell(drawn));
        } else {
            state.waits("superpeer 0, which founds the cell");
        }
    }

    private void enter(OtherSuperpeers asked) {
        RaftCore running = core;
        asked.enter(running == null ? drawn : running.id(), running == null ? 0 : running.cell(),
            answer -> onThread(() -> entered(answer)));
    }

    private void entered(EnterAnswer answer) {
        RaftCore running = core;
        if (!answer.isWanted()) {
            state.waits("its place: the cluster has no superpeer " + config.number() + " at \"" + config.address()
                + "\" (any more); ./teff cluster superpeers lists the present ones, and adds this one");
            return;
        }
        if (running != null && running.cell() != answer.cell()) {
            state.fails("the log in " + config.folder() + " is of another cell than the log of the other superpeers"
                + OldCells.ADVICE);
            running.close();
        } else if (answer.isMember() && state.state() == State.ASKING && running == null) {
            beginIn(new RaftCore.Cell(new RaftId(answer.founder(), answer.cell())));
        }
    }

    private void beginIn(RaftCore.Cell cell) {
        try {
            begin(cell);
        } catch (IOException e) {
            events.accept(e);
        }
    }

    /**
     * {@return the answer to a superpeer that asks whether the cell exists}
     */
    public PartAnswer part() {
        try {
            return new PartAnswer(core != null || RaftJournal.exists(disk, config.folder()));
        } catch (IOException _) {
            // the folder may have a log: so the asking superpeer must not found a cell
            return new PartAnswer(true);
        }
    }

    /**
     * Takes a superpeer into the cell, step by step.
     *
     * @param request of the other superpeer
     * @return ends with the answer
     */
    public CompletableFuture<EnterAnswer> enter(EnterRequest request) {
        RaftCore running = core;
        RaftId member = new RaftId(request.superpeer(), request.birth());
        if (running == null || !running.isLeading() || member.birth() == 0) {
            return CompletableFuture.completedFuture(EnterAnswer.NOT_LEADING);
        }
        SuperpeerSet now = superpeers();
        SuperpeerRow row = now.row(member.number());
        if (row == null || !now.isPart(member.number())
            || !row.address().isEmpty() && !row.address().equals(request.address())) {
            return CompletableFuture.completedFuture(new EnterAnswer(true, false, false, false, 0, 0));
        }
        CompletableFuture<EnterAnswer> answer = new CompletableFuture<>();
        running.submit(() -> {
            if (request.cell() == 0 || request.cell() == running.cell()) {
                running.admit(member);
            }
            var members = running.members();
            RaftId founder = running.founder();
            answer.complete(new EnterAnswer(true, true, members.getMembers().contains(member),
                members.getVotingMembers().contains(member), founder.number(), founder.birth()));
        });
        return answer.completeOnTimeout(EnterAnswer.NOT_LEADING, 1, TimeUnit.SECONDS);
    }

    // ---- the log ----

    @Override
    public CompletableFuture<CommandReply> propose(Command command) {
        RaftCore running = core;
        if (running == null || !isLeading()) {
            return CompletableFuture.failedFuture(new NotLeadingException());
        }
        byte[] bytes = ProposalCodec.bytes(new ProposalCodec.Proposal(config.number(), life,
            sequence.incrementAndGet(), command));
        if (bytes.length > PROPOSAL_BYTES_MAX) {
            return CompletableFuture.completedFuture(new CommandReply.Refused("the command "
                + command.getClass().getSimpleName() + " has " + bytes.length + " bytes, more than "
                + PROPOSAL_BYTES_MAX, true));
        }
        CompletableFuture<CommandReply> reply = new CompletableFuture<>();
        proposals.add(reply);
        var _ = running.propose(bytes).whenComplete((result, thrown) -> {
            proposals.remove(reply);
            if (result instanceof CommandReply applied) {
                reply.complete(applied);
            } else {
                reply.completeExceptionally(new NotLeadingException());
            }
        });
        if (running.hasEnded()) {
            failAll();
        }
        return reply;
    }

    private void failAll() {
        proposals.forEach(reply -> reply.completeExceptionally(new NotLeadingException()));
        proposals.clear();
    }

    @Override
    public boolean isLeading() {
        RaftCore running = core;
        RaftMachine current = machine;
        return accepts && running != null && running.isLeading() && current != null && isOpen(running, current);
    }

    /** Returns whether the cell accepts commands: all superpeers were voters at one time. */
    private boolean isOpen(RaftCore running, RaftMachine current) {
        return current.read(MetadataMachine::cluster).isKnown()
            || running.members().getVotingMembers().size()
                == current.read(MetadataMachine::superpeers).counting().size();
    }

    @Override
    public boolean isMember() {
        return shown != null;
    }

    @Override
    public int restarts() {
        return restarts.get();
    }

    @Override
    public boolean needsRoom() {
        return needsRoom;
    }

    @Override
    public boolean isVoter(int superpeer) {
        RaftCore running = core;
        return running != null && has(running.members().getVotingMembers(), superpeer);
    }

    @Override
    public boolean remove(int superpeer) {
        RaftCore running = core;
        if (running == null || !running.isLeading()) {
            return false;
        }
        if (running.isSettled() && !has(running.members().getMembers(), superpeer)) {
            return true;
        }
        running.submit(() -> running.remove(superpeer));
        return false;
    }

    private static boolean has(Collection<RaftEndpoint> members, int superpeer) {
        return members.stream().anyMatch(member -> ((RaftId) member).number() == superpeer);
    }

    /** {@return the superpeers in the tables; before the cluster is founded, the configured superpeers} */
    public SuperpeerSet superpeers() {
        RaftMachine current = machine;
        SuperpeerSet inTables = current == null ? SuperpeerSet.NONE : current.read(MetadataMachine::superpeers);
        return inTables.version() > config.known().version() ? inTables : config.known();
    }

    /** {@return why the log has ended for good, for people; null before such an end} */
    public @Nullable String failure() {
        return state.failure();
    }

    /** {@return what a superpeer without a part waits for, for people; empty once it has one} */
    public String waitsFor() {
        return needsRoom ? "room on its disk" : state.waitsFor();
    }

    @Override
    public <T> T read(Function<MetadataMachine, T> reader) {
        RaftMachine current = shown;
        return current == null ? reader.apply(nothing) : current.read(reader);
    }

    /** Hands leadership to another superpeer, if possible within a moment, and ends. */
    @Override
    public void close() {
        handOver();
        state.closes();
        LockSupport.unpark(thread);
        if (thread.isAlive()) {
            Threads.join(thread);
        }
        end();
        failAll();
    }

    private void handOver() {
        RaftCore running = core;
        if (state.isClosed() || running == null || !thread.isAlive()) {
            return;
        }
        Collection<RaftId> able = running.otherVoters();
        if (!running.isLeading() || able.isEmpty()) {
            return;
        }
        running.handOver(able.iterator().next());
        final long untilNs = clock.nowNs() + HAND_OVER_NS;
        while (running.isLeading() && clock.nowNs() - untilNs < 0) {
            clock.pause(this, TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
