package io.teff.cluster.superpeer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.consensus.LogMembers;
import io.teff.cluster.consensus.MemberFolder;
import io.teff.cluster.consensus.MetadataLog;
import io.teff.cluster.consensus.NotLeadingException;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.LogOrigin;
import io.teff.cluster.message.PartAnswer;
import io.teff.cluster.message.PartRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Reply;
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
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The replicated log of a superpeer, which has its part in it as soon as its folder permits.
 *
 * <p>A member whose folder has a log takes part at once. One whose folder is empty asks all others:
 * <ul>
 * <li>If all of them answer, and none has had a part in any term, no command exists: the cell is founded.
 * <li>If one has had a part, the cell exists, and this member has lost its disk. It waits until the others commit a
 *     command of its own, an announcement of a life, without it. So a majority of the others follows one leader, and
 *     whatever this member has helped to commit before is in front of that command in the log. Then it begins as a
 *     newcomer, which does not vote ({@link MemberFolder}), and when it has applied its command it begins again as a
 *     voter. A leader that is lost meanwhile ends the attempt: a newcomer that refuses its vote would be in the way of
 *     the others' election. The next attempt begins with an empty folder.
 * <li>Else it waits. With most disks of a cell lost, it waits for ever: nothing is guessed.
 * </ul>
 * A member that was away while the others deleted what it lacks copies the log of one of them, and goes on as before.
 *
 * <p>Until it has its part, the member does not lead, and reads an empty machine. Thread-safe.
 */
public final class JoiningLog implements MetadataLog {
    private static final long ASK_NS = TimeUnit.SECONDS.toNanos(1);
    /** Between two looks whether the others have deleted what this superpeer lacks. */
    private static final long WATCH_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** How long an attempt to read the log of the others may take; the next one begins anew. */
    private static final long ATTEMPT_NS = TimeUnit.SECONDS.toNanos(20);

    private final int number;
    private final int superpeers;
    private final MemberFolder folder;
    private final LogMembers members;
    private final Clock clock;
    private final Chance chance;
    private final MetadataMachine nothing;
    private final Object starting = new Object();
    private volatile @Nullable MetadataLog log;
    private volatile boolean isMember;
    private volatile boolean isClosed;
    private volatile @Nullable String failure;
    private volatile String waitsFor = "";
    private @Nullable Thread thread;

    /**
     * Makes a log without a part yet.
     *
     * @param number number of the superpeer
     * @param settings settings of the cluster
     * @param folder folder of the member
     * @param members starts it
     * @param clock the clock
     * @param chance gives the number of a life
     */
    public JoiningLog(int number, MachineState.Settings settings, MemberFolder folder, LogMembers members,
                      Clock clock, Chance chance) {
        this.number = number;
        this.folder = folder;
        this.members = members;
        this.clock = clock;
        this.chance = chance;
        superpeers = settings.superpeers();
        nothing = new MetadataMachine(MachineState.initial(settings));
    }

    /**
     * Takes part at once, if the folder permits that.
     *
     * @throws IOException if the folder cannot be used
     */
    public void start() throws IOException {
        if (superpeers == 1 || folder.part() == MemberFolder.Part.VOTER) {
            vote();
        }
    }

    /**
     * Takes part as soon as the others permit that, on a thread of its own, and copies the log of another superpeer
     * whenever the others have deleted what this one lacks.
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
                folder.endAttempt();                            // of a process that has ended
            }
            while (!isClosed && !isMember) {
                switch (NewMember.next(askParts(requests))) {
                    case FOUND -> vote();
                    case REPLACE -> replace(requests, cell);
                    case WAIT -> waitsFor = "an answer of all other superpeers, because its folder is empty";
                }
                clock.park(this, PAUSE_NS);
            }
            while (!isClosed) {
                clock.park(this, WATCH_NS);
                if (!isClosed && !isLeading() && isBehind(requests)) {
                    catchUp(requests);
                }
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            failure = "it cannot take part in the cell: " + FailureText.of(e);
        }
    }

    /** Returns of each other superpeer whether it has a part, or null if it does not answer. */
    private List<@Nullable Boolean> askParts(Requests requests) {
        List<@Nullable Boolean> parts = new ArrayList<>();
        ask(requests).forEach((_, answer) -> parts.add(answer == null ? null : answer.hasPart()));
        return parts;
    }

    /** Returns the answer of each other superpeer, or null if there is none. */
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
        } catch (NetworkException _) {                          // it was not sent
            return CompletableFuture.completedFuture(null);
        }
    }

    private void vote() {
        start(false);
        waitsFor = "";
        isMember = true;
    }

    private void replace(Requests requests, CellClient cell) throws IOException {
        waitsFor = "the log of the other superpeers, because its own is lost: most of them must run";
        final long life = chance.nextLong() | 1;
        if (!(cell.send(new Command.SuperpeerLife(number, life)).join() instanceof Reply.Done)) {
            return;
        }
        folder.beginNewcomer();
        if (!copy(requests)) {
            folder.endAttempt();
            return;
        }
        final MetadataLog newcomer = start(true);
        final long endNs = clock.nowNs() + ATTEMPT_NS;
        boolean hasAll = false;
        while (!hasAll && !isClosed && clock.nowNs() - endNs < 0) {
            clock.park(this, PAUSE_NS);
            hasAll = newcomer.read(machine -> machine.life(number)) == life;
        }
        log = null;
        newcomer.close();
        if (hasAll) {
            folder.endNewcomer();
            vote();
        } else {
            folder.endAttempt();
        }
    }

    /**
     * Copies the log of another superpeer, if the others have deleted what this one lacks. The member has a part in
     * elections as before: it has acknowledged nothing behind its own log, and all of that is in the snapshot.
     */
    private void catchUp(Requests requests) {
        waitsFor = "a copy of the log of another superpeer, because the others have deleted what is missing here";
        synchronized (starting) {
            MetadataLog current = log;
            if (current != null) {
                current.close();                                // reads go on there
            }
        }
        copy(requests);
        start(false);
        waitsFor = "";
    }

    private boolean isBehind(Requests requests) {
        return origins(requests).values().stream().anyMatch(this::isBehind);
    }

    private boolean isBehind(LogOrigin origin) {
        try {
            return folder.isBehind(origin);
        } catch (IOException _) {                               // its files come and go: the next look tells
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
     * Copies the log of the superpeer with the last snapshot, if this one is behind it. Returns whether this superpeer
     * has what it needs then.
     */
    private boolean copy(Requests requests) {
        Optional<Map.Entry<Integer, LogOrigin>> best = origins(requests).entrySet().stream()
            .filter(origin -> isBehind(origin.getValue()))
            .max(Comparator.comparingLong(origin -> origin.getValue().snapshot().position()));
        return best.isEmpty() || members.copy(best.get().getKey(), best.get().getValue(), () -> isClosed);
    }

    private MetadataLog start(boolean isNewcomer) {
        synchronized (starting) {
            if (isClosed) {
                throw new IllegalStateException("the superpeer was closed");
            }
            MetadataLog started = members.start(isNewcomer);
            log = started;
            return started;
        }
    }

    /** {@return the answer to a superpeer that asks whether the cell exists} */
    public PartAnswer part() {
        try {
            return isMember ? new PartAnswer(true, folder.origin()) : new PartAnswer(!folder.isEmpty(), null);
        } catch (IOException _) {                               // it may have one: so it founds no other cell
            return new PartAnswer(true, null);
        }
    }

    @Override
    public @Nullable String failure() {
        MetadataLog current = log;
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
    public CompletableFuture<Reply> propose(Command command) {
        MetadataLog current = log;
        return current == null ? CompletableFuture.failedFuture(new NotLeadingException()) : current.propose(command);
    }

    @Override
    public boolean isLeading() {
        MetadataLog current = log;
        return current != null && current.isLeading();
    }

    @Override
    public <T> T read(Function<MetadataMachine, T> reader) {
        MetadataLog current = log;
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
        synchronized (starting) {
            MetadataLog current = log;
            if (current != null) {
                current.close();
            }
        }
    }
}
