package io.teff.cluster.superpeer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.consensus.MemberFolder;
import io.teff.cluster.consensus.MetadataLog;
import io.teff.cluster.consensus.NotLeadingException;
import io.teff.cluster.message.CellMessages;
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
import java.util.List;
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
 * Until it has its part, the member does not lead, and reads an empty machine. Thread-safe.
 */
public final class JoiningLog implements MetadataLog {
    private static final long ASK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** How long an attempt to read the log of the others may take; the next one begins anew. */
    private static final long ATTEMPT_NS = TimeUnit.SECONDS.toNanos(20);

    private final int number;
    private final int superpeers;
    private final MemberFolder folder;
    private final Members members;
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

    /** Starts members of the replicated log in this superpeer's folder. */
    @FunctionalInterface
    public interface Members {
        /**
         * Starts a member.
         *
         * @param isNewcomer whether it has a part in no election
         * @return the member
         */
        MetadataLog start(boolean isNewcomer);
    }

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
    public JoiningLog(int number, MachineState.Settings settings, MemberFolder folder, Members members, Clock clock,
                      Chance chance) {
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
     * @return whether it does; else {@link #join} is to be called
     * @throws IOException if the folder cannot be used
     */
    public boolean start() throws IOException {
        if (superpeers == 1 || folder.part() == MemberFolder.Part.VOTER) {
            vote();
            return true;
        }
        return false;
    }

    /**
     * Takes part as soon as the others permit that, on a thread of its own.
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
            if (folder.part() == MemberFolder.Part.NEWCOMER) {
                folder.endAttempt();                            // of a process that has ended
            }
            while (!isClosed && !isMember) {
                switch (NewMember.next(ask(requests))) {
                    case FOUND -> vote();
                    case REPLACE -> replace(cell);
                    case WAIT -> waitsFor = "an answer of all other superpeers, because its folder is empty";
                }
                clock.park(this, PAUSE_NS);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            failure = "it cannot take part in the cell: " + FailureText.of(e);
        }
    }

    /** Returns of each other superpeer whether it has a part, or null if it does not answer. */
    private List<@Nullable Boolean> ask(Requests requests) {
        List<CompletableFuture<@Nullable Boolean>> asked = new ArrayList<>();
        for (int other = 0; other < superpeers; other++) {
            if (other != number) {
                asked.add(ask(requests, other));
            }
        }
        List<@Nullable Boolean> answers = new ArrayList<>();
        asked.forEach(answer -> answers.add(answer.join()));
        return answers;
    }

    private CompletableFuture<@Nullable Boolean> ask(Requests requests, int other) {
        try {
            return requests.request(CellMessages.nid(other), CellMessages.PART, new PartRequest(number), ASK_NS)
                .handle((answer, thrown) -> thrown == null ? answer.hasPart() : null);
        } catch (NetworkException _) {                          // it was not sent
            return CompletableFuture.completedFuture(null);
        }
    }

    private void vote() {
        start(false);
        waitsFor = "";
        isMember = true;
    }

    private void replace(CellClient cell) throws IOException {
        waitsFor = "the log of the other superpeers, because its own is lost: most of them must run";
        final long life = chance.nextLong() | 1;
        if (!(cell.send(new Command.SuperpeerLife(number, life)).join() instanceof Reply.Done)) {
            return;
        }
        folder.beginNewcomer();
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
            return new PartAnswer(!folder.isEmpty());
        } catch (IOException _) {                               // it may have one: so it founds no other cell
            return new PartAnswer(true);
        }
    }

    /** {@return why the superpeer cannot take part, for people; null if it can} */
    public @Nullable String failure() {
        return failure;
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
