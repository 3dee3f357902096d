package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.cell.Requests;
import io.teff.cluster.config.Secret;
import io.teff.cluster.consensus.MemberFolder.Part;
import io.teff.cluster.log.LoggedLines;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.LogOrigin;
import io.teff.cluster.message.PartAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Superpeers that lose their disks: real members of Aeron Cluster in this process, messages without a network. */
class JoiningLogTest {
    private static final int SUPERPEERS = 3;
    private static final long LIMIT_S = 300;
    /** Three times what an election among members that run takes. */
    private static final long WATCH_NS = TimeUnit.MILLISECONDS.toNanos(3_500);

    @TempDir
    private Path folder;

    private final MachineState.Settings settings = new MachineState.Settings(SUPERPEERS, 2);
    private final List<MemberConfig.Member> members = new ArrayList<>();
    private final AtomicReferenceArray<JoiningLog> logs = new AtomicReferenceArray<>(SUPERPEERS);
    private final LoggedLines lines = new LoggedLines();
    private int folders;

    @BeforeEach
    void choosePorts() throws IOException {
        members.addAll(FreePorts.members(SUPERPEERS));
    }

    @AfterEach
    void closeAll() {
        for (int i = 0; i < SUPERPEERS; i++) {
            close(i);
        }
    }

    @Test
    void memberWithoutItsDisk_isReplaced_andVotesWhenItHasEverything() throws Exception {
        int leader = found();
        int lost = (leader + 1) % SUPERPEERS;
        int other = (leader + 2) % SUPERPEERS;
        loseDisk(lost);
        join();
        start(lost);
        await(() -> logs.get(lost).isMember());
        assertEquals(Part.VOTER, folder(lost).part());
        close(other);
        join();                                                 // only the replaced member can acknowledge it
        close(leader);
        start(other);                                           // lacks the last command, so it cannot lead
        assertEquals(lost, awaitLeader());
        assertEquals(folders, nodes(lost));
        await(() -> nodes(other) == folders);
    }

    @FullTier("three drivers of Aeron, and seconds in which nothing may happen; RestartedLogTest has newcomers in "
        + "virtual time")
    @Test
    void memberWithoutItsDisk_withoutALeaderOfTheOthers_takesNoPart() throws Exception {
        int lost = (found() + 1) % SUPERPEERS;
        loseDisk(lost);
        int ended = (lost + 1) % SUPERPEERS;
        int other = (lost + 2) % SUPERPEERS;
        close(ended);                                           // the one that is left cannot lead alone
        await(() -> !logs.get(other).isLeading());
        start(lost);
        await(() -> logs.get(lost).waitsFor().contains("most of them must run"));
        watch(() -> assertFalse(logs.get(lost).isLeading() || logs.get(other).isLeading() || logs.get(lost).isMember(),
            "the member without its disk has voted"));
        close(lost);

        folder(lost).beginNewcomer();                           // as if the leader had ended a little later
        assertEquals(Part.NEWCOMER, folder(lost).part());
        Starts.DRIVER.count();
        try (AeronLog newcomer = AeronLog.start(config(lost), true, 1, Platform.SYSTEM, _ -> {})) {
            await(newcomer::isElecting);
            watch(() -> assertFalse(newcomer.isLeading() || logs.get(other).isLeading(), "a newcomer has voted"));
        }
        start(lost);                                            // ends the attempt of before
        start(ended);
        await(() -> logs.get(lost).isMember() && nodes(lost) == folders);
        awaitLeader();
    }

    @FullTier("three drivers of Aeron, and seconds in which nothing may happen; "
        + "memberWithoutItsDisk_isReplaced_andVotesWhenItHasEverything founds a cell, too")
    @Test
    void newCell_isFoundedByAll_notByMost() throws Exception {
        start(0);
        start(1);
        await(() -> logs.get(0).waitsFor().contains("all other superpeers")
            && logs.get(1).waitsFor().contains("all other superpeers"));
        assertFalse(logs.get(0).isMember() || logs.get(1).isMember());
        assertEquals(Part.EMPTY, folder(0).part());
        start(2);
        awaitLeader();
    }

    /** The founder makes no cell alone: those that start again in the meantime must found it, too. */
    @FullTier("three drivers of Aeron that start twice; RestartedLogTest has founders in virtual time")
    @Test
    void newCell_isFoundedByAll_alsoIfTheOthersStartAgain() throws Exception {
        JoiningLog first = open(0);
        first.join(new Requests() {
            @Override
            @SuppressWarnings("unchecked")                      // these others have no part, and do not lead
            public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
                return (CompletableFuture<R>) CompletableFuture.completedFuture(request instanceof Command
                    ? CommandAnswer.NOT_LEADING : new PartAnswer(false, null));
            }
        });
        await(first::isMember);
        start(1);
        start(2);
        awaitLeader();
        join();
        await(() -> IntStream.range(0, SUPERPEERS).allMatch(i -> logs.get(i).isMember() && nodes(i) == folders));
    }

    @FullTier("thousands of commands of three drivers of Aeron; RestartedLogTest copies logs in virtual time")
    @Test
    void memberThatWasAway_whileTheOthersDeleteWhatItLacks_copiesTheLog_andKeepsItsVote() throws Exception {
        int leader = found();
        int away = (leader + 1) % SUPERPEERS;
        int other = (leader + 2) % SUPERPEERS;
        close(away);
        deleteTheBeginning(List.of(leader, other));
        assertTrue(isBehind(away, leader));
        start(away);
        await(() -> nodes(away) == folders && !isBehind(away, leader));
        assertTrue(lines.contains("has copied the log of superpeer"), lines.lines()::toString);
        await(() -> logs.get(away).restarts() > 0);
        close(leader);                                          // it counts again: it has a part in a majority
        join();
        close(other);
        close(away);
        start(away);                                            // from its copy
        start(leader);
        join();
        await(() -> nodes(away) == folders && nodes(leader) == folders);
    }

    @FullTier("thousands of commands of three drivers of Aeron; memberWithoutItsDisk_isReplaced_... shows the most "
        + "of it")
    @Test
    void memberWithoutItsDisk_whenTheBeginningOfTheLogIsDeleted_isReplaced() throws Exception {
        int leader = found();
        int lost = (leader + 1) % SUPERPEERS;
        int other = (leader + 2) % SUPERPEERS;
        deleteTheBeginning(List.of(leader, other, lost));
        loseDisk(lost);
        start(lost);
        await(() -> logs.get(lost).isMember() && nodes(lost) == folders);
        assertEquals(Part.VOTER, folder(lost).part());
        close(other);
        join();
        await(() -> nodes(lost) == folders);
    }

    /** Commits commands until these members have deleted the beginning of the log. */
    private void deleteTheBeginning(List<Integer> numbers) {
        while (numbers.stream().anyMatch(number -> !isBeginningDeleted(number))) {
            LogFill.fill(logs.get(awaitLeader()), 500);
            join();
        }
    }

    private boolean isBehind(int number, int other) {
        try {
            return folder(number).isBehind(Objects.requireNonNull(folder(other).origin()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isBeginningDeleted(int number) {
        try {
            LogOrigin origin = folder(number).origin();
            return origin != null && origin.first() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- the cell ----

    /** Founds a cell with a command; returns the number of the leader. */
    private int found() throws Exception {
        for (int i = 0; i < SUPERPEERS; i++) {
            start(i);
        }
        int leader = awaitLeader();
        join();
        for (int i = 0; i < SUPERPEERS; i++) {
            int number = i;
            await(() -> nodes(number) == folders);
        }
        return leader;
    }

    private MemberConfig config(int number) {
        return new MemberConfig(number, members, folder.resolve("member-" + number), settings,
            SnapshotBound.ofCommands(200), Secret.NONE);
    }

    private MemberFolder folder(int number) {
        return new MemberFolder(folder.resolve("member-" + number));
    }

    private void start(int number) throws IOException {
        open(number).join(this::request);
    }

    private JoiningLog open(int number) throws IOException {
        Starts.DRIVER.count();
        JoiningLog log = new JoiningLog(number, settings, folder(number),
            new AeronMembers(config(number), folder(number), 1, Platform.SYSTEM, lines.log()), Platform.SYSTEM);
        log.start();
        logs.set(number, log);
        return log;
    }

    private void close(int number) {
        JoiningLog log = logs.getAndSet(number, null);
        if (log != null) {
            log.close();
        }
    }

    private void loseDisk(int number) throws IOException {
        close(number);
        try (Stream<Path> files = Files.walk(folder.resolve("member-" + number))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Answers like a superpeer that is reached; one that does not run gives no answer. */
    @SuppressWarnings("unchecked")                              // the type of the request says which answer it has
    private <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
        JoiningLog log = logs.get(nid - CellMessages.nid(0));
        if (log == null) {
            return CompletableFuture.failedFuture(new IOException("superpeer " + nid + " does not run"));
        }
        return (CompletableFuture<R>) (request instanceof Command command
            ? log.propose(command).handle((reply, thrown) -> thrown == null ? new CommandAnswer(reply)
                : CommandAnswer.NOT_LEADING)
            : CompletableFuture.completedFuture(log.part()));
    }

    /** Commits a command. The leader may change on a busy machine; a command that is repeated changes nothing more. */
    private void join() {
        Command command = new Command.Join(new UUID(1, folders++), 1, "tcp:127.0.0.1:1", Roles.PEER);
        await(() -> logs.get(awaitLeader()).propose(command).orTimeout(LIMIT_S, TimeUnit.SECONDS)
            .handle((_, thrown) -> thrown == null).join());
    }

    private int nodes(int number) {
        return logs.get(number).read(machine -> machine.nodesSince(-1).size());
    }

    // ---- waiting ----

    private int awaitLeader() {
        int[][] leaders = {{}};
        await(() -> {
            leaders[0] = leaders();
            return leaders[0].length > 0;
        });
        return leaders[0][0];
    }

    private int[] leaders() {
        return IntStream.range(0, SUPERPEERS).filter(i -> {
            JoiningLog log = logs.get(i);
            return Objects.nonNull(log) && log.isLeading();
        }).toArray();
    }

    private void await(BooleanSupplier condition) {
        Threads.await(LIMIT_S, () -> "members wait for: "
            + IntStream.range(0, SUPERPEERS).mapToObj(logs::get).filter(Objects::nonNull)
            .map(log -> log.waitsFor() + " " + log.failure()).toList() + "\n"
            + String.join("\n", lines.lines()), condition);
    }

    /** Checks a condition all the time, for as long as an election could take. */
    private static void watch(Runnable check) {
        long end = System.nanoTime() + WATCH_NS;
        while (System.nanoTime() - end < 0) {
            check.run();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
