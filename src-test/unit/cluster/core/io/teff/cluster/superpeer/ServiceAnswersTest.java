package io.teff.cluster.superpeer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.message.ServiceRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.RegistryChange;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.engine.os.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The leading superpeer's answers to clients of services, with a log that applies commands when the test says so. */
class ServiceAnswersTest {
    private static final long LEASE_MS = 5_000;
    private static final long KEY = 77;

    private final HeldLog log = new HeldLog();
    private long nowNs = 1_000;
    private final ServiceAnswers answers = new ServiceAnswers(log, new Clock() {
        @Override
        public long nowNs() {
            return nowNs;
        }
    }, () -> true);
    private final ServiceLeases leases = new ServiceLeases();
    private long sequence;
    /** NID of the client that asks. */
    private int client = 60_000;

    /** A log of one member that holds commands back. */
    private static final class HeldLog implements SuperpeerLog {
        private final SuperpeerLog log = MemoryLogs.member(new MachineState.Settings(1, 1));
        private final Deque<Runnable> held = new ArrayDeque<>();
        private boolean isHolding;
        private boolean isLeading = true;
        private int commands;

        @Override
        public CompletableFuture<CommandReply> propose(Command command) {
            commands++;
            if (!isHolding) {
                return log.propose(command);
            }
            CompletableFuture<CommandReply> reply = new CompletableFuture<>();
            held.add(() -> reply.complete(log.propose(command).join()));
            return reply;
        }

        /** Applies the commands that are held back now. */
        void release() {
            for (int i = held.size(); i > 0; i--) {
                held.remove().run();
            }
        }

        @Override
        public boolean isLeading() {
            return isLeading;
        }

        @Override
        public boolean isMember() {
            return true;
        }

        @Override
        public int restarts() {
            return 0;
        }

        @Override
        public boolean needsRoom() {
            return false;
        }

        @Override
        public boolean isVoter(int superpeer) {
            return true;
        }

        @Override
        public boolean remove(int superpeer) {
            return true;
        }

        @Override
        public <T> T read(Function<MetadataMachine, T> reader) {
            return log.read(reader);
        }

        @Override
        public void close() {}
    }

    /** An answer that a client waits for. */
    private static final class Asked implements Answer<ServiceAnswer> {
        private final int client;
        private @Nullable ServiceAnswer answer;

        Asked(int client) {
            this.client = client;
        }

        @Override
        public boolean complete(ServiceAnswer given) {
            assertNull(answer, "one answer");
            answer = given;
            return true;
        }

        @Override
        public int from() {
            return client;
        }

        @Override
        public boolean fail(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public boolean isOpen() {
            return answer == null;
        }
    }

    @AfterEach
    void audit() {
        log.read(machine -> {
            machine.audit();
            return true;
        });
    }

    private Asked send(long key, int waitMs, RegistryStep step) {
        Asked asked = new Asked(client);
        answers.answer(new ServiceRequest(key, waitMs, step), asked);
        return asked;
    }

    private ServiceAnswer answered(long key, RegistryStep step) {
        ServiceAnswer answer = send(key, 0, step).answer;
        assertTrue(answer != null, "an answer to " + step);
        return answer;
    }

    private long open(long key) {
        return answered(0, new RegistryStep(StepCode.OPEN, 0, 0, key, LEASE_MS, 0, "", RegistryStep.NONE)).first();
    }

    private RegistryStep in(long session, RegistryStep step) {
        return step.in(session, ++sequence << 6);
    }

    private static RegistryStep put(String name) {
        return new RegistryStep(StepCode.PUT, 0, 0, StepCode.ANY, 0, 0, name, new byte[] {1});
    }

    private static RegistryStep enter(String name) {
        return new RegistryStep(StepCode.ENTER, 0, 0, 1, 1, 0, name, RegistryStep.NONE);
    }

    private long revision() {
        return log.read(machine -> machine.registry().revision());
    }

    // ---- what costs nothing ----

    @Test
    void steps_thatAreRefused_areNoCommands() {
        long session = open(KEY);
        int before = log.commands;
        assertEquals(RegistryResult.EXPIRED, answered(KEY + 1, in(session, put("a"))).code(), "of another client");
        assertEquals(ServiceAnswer.NOT_LEADING, answered(KEY, in(session + 9, put("a"))).code(), "not known here yet");
        assertEquals(RegistryResult.MALFORMED, answered(KEY, in(session, put(""))).code());
        assertEquals(RegistryResult.MALFORMED, answered(KEY, in(session, new RegistryStep(StepCode.PUT, 0, 0, -1, 0, 0,
            "a", new byte[32_769]))).code());
        for (int code : new int[] {StepCode.RENEW, StepCode.END, StepCode.EXPIRE, StepCode.LOOK, 12, 99, -1}) {
            assertEquals(RegistryResult.MALFORMED, answered(KEY, in(session, RegistryStep.of(code, 0, "a"))).code(),
                "a client sends no step " + code);
        }
        assertEquals(RegistryResult.EXPIRED, answered(KEY + 1, RegistryStep.of(StepCode.BEAT, 0, "")
            .in(session, 0)).code());
        assertEquals(before, log.commands);
    }

    @Test
    void steps_underWay_haveALimit() {
        long session = open(KEY);
        log.isHolding = true;
        for (int i = 0; i < ServiceAnswers.UNDER_WAY_MAX; i++) {
            assertNull(send(KEY, 0, in(session, put("a"))).answer);
        }
        assertEquals(ServiceAnswer.OVERLOADED, answered(KEY, in(session, put("a"))).code());
        log.release();
        assertNull(send(KEY, 0, in(session, put("a"))).answer, "there is room again");
    }

    @Test
    void withoutLeadership_nothingIsAnswered() {
        long session = open(KEY);
        Asked waiting = send(0, 1_000, RegistryStep.of(StepCode.WATCH, revision(), ""));
        log.isLeading = false;
        assertEquals(ServiceAnswer.NOT_LEADING, answered(KEY, in(session, put("a"))).code());
        assertEquals(ServiceAnswer.NOT_LEADING, answered(0, RegistryStep.of(StepCode.GET, 0, "a")).code());
        answers.wake();
        assertEquals(ServiceAnswer.NOT_LEADING, waiting.answer.code());
    }

    // ---- reads and signs of life ----

    /** A read that arrives while a command is on its way needs the next one: the first may be older than the read. */
    @Test
    void reads_shareACommand_butNotOneThatIsOlder() {
        long session = open(KEY);
        log.isHolding = true;
        int before = log.commands;
        Asked first = send(0, 0, RegistryStep.of(StepCode.GET, 0, "a"));
        List<Asked> next = List.of(send(0, 0, RegistryStep.of(StepCode.GET, 0, "a")),
            send(0, 0, RegistryStep.of(StepCode.GET, 0, "a")));
        assertEquals(1, log.commands - before);
        log.release();
        assertEquals(RegistryResult.ABSENT, first.answer.code());
        assertNull(next.getFirst().answer);
        assertEquals(2, log.commands - before);
        log.isHolding = false;
        answered(KEY, in(session, put("a")));
        log.release();
        next.forEach(asked -> assertEquals(RegistryResult.DONE, asked.answer.code()));
    }

    @Test
    void signsOfLife_shareACommand() {
        long one = open(KEY);
        long other = open(KEY + 1);
        log.isHolding = true;
        Asked first = send(KEY, 0, RegistryStep.of(StepCode.BEAT, 0, "").in(one, 0));
        Asked second = send(KEY + 1, 0, RegistryStep.of(StepCode.BEAT, 0, "").in(other, 0));
        Asked third = send(KEY, 0, RegistryStep.of(StepCode.BEAT, 0, "").in(one, 0));
        int before = log.commands;
        log.release();
        log.release();
        assertEquals(1, log.commands - before, "one for both");
        assertEquals(RegistryResult.DONE, first.answer.code());
        assertEquals(RegistryResult.DONE, second.answer.code());
        assertEquals(RegistryResult.DONE, third.answer.code());
        assertEquals(List.of(2L, 1L), log.read(machine -> machine.registry().sessions()).stream()
            .map(row -> row.renewals()).toList());
    }

    // ---- leases ----

    private List<RegistryStep> overdue() {
        log.read(machine -> {
            leases.look(machine.registry(), nowNs);
            return true;
        });
        return leases.overdue(nowNs);
    }

    @Test
    void session_withoutRenewals_isOverdueAfterItsLongLease_andNotBefore() {
        long session = open(KEY);
        assertEquals(List.of(), overdue());
        nowNs += TimeUnit.MILLISECONDS.toNanos(LEASE_MS);
        assertEquals(List.of(), overdue(), "its client may have a slower clock");
        answered(KEY, RegistryStep.of(StepCode.BEAT, 0, "").in(session, 0));
        nowNs += TimeUnit.MILLISECONDS.toNanos(LEASE_MS / 50);
        assertEquals(List.of(), overdue(), "it was renewed");
        nowNs += TimeUnit.MILLISECONDS.toNanos(LEASE_MS + LEASE_MS / 100) + 1;
        RegistryStep end = overdue().getFirst();
        answered(KEY, RegistryStep.of(StepCode.BEAT, 0, "").in(session, 0));
        log.propose(new RegistryChange(end)).join();
        boolean isOpen = log.read(machine -> machine.registry().isOpen(session, KEY));
        assertTrue(isOpen, "a renewal came first");
        assertEquals(List.of(), overdue());
        nowNs += TimeUnit.MILLISECONDS.toNanos(2 * LEASE_MS);
        overdue().forEach(step -> log.propose(new RegistryChange(step)).join());
        assertEquals(List.of(), log.read(machine -> machine.registry().sessions()));
        assertEquals(RegistryResult.EXPIRED, answered(KEY, in(session, put("a"))).code());
    }

    @Test
    void temporaryName_isOverdueAfterItsTime_unlessItWasPutAgain() {
        long session = open(KEY);
        RegistryStep brief = new RegistryStep(StepCode.PUT, 0, 0, StepCode.ANY, 0, 100, "a", RegistryStep.NONE);
        answered(KEY, in(session, brief));
        assertEquals(List.of(), overdue());
        nowNs += TimeUnit.MILLISECONDS.toNanos(90);
        answered(KEY, in(session, brief));
        assertEquals(List.of(), overdue());
        nowNs += TimeUnit.MILLISECONDS.toNanos(90);
        assertEquals(List.of(), overdue());
        nowNs += TimeUnit.MILLISECONDS.toNanos(12);
        overdue().forEach(step -> log.propose(new RegistryChange(step)).join());
        assertEquals(RegistryResult.ABSENT, answered(0, RegistryStep.of(StepCode.GET, 0, "a")).code());
    }

    private static RegistryStep temporary(String name, long ttlMs) {
        return new RegistryStep(StepCode.PUT, 0, 0, StepCode.ANY, 0, ttlMs, name, new byte[30 << 10]);
    }

    /** A client that fills its share is refused by the reason; repeated steps, and other clients, are not. */
    @Test
    void temporaryNames_ofOneClient_haveAShare() {
        long session = open(KEY);
        RegistryStep last = in(session, temporary("0", 1_000));
        ServiceAnswer done = answered(KEY, last);
        int names = 1;
        RegistryStep next = in(session, temporary("1", 1_000));
        for (ServiceAnswer answer = answered(KEY, next); answer.code() == RegistryResult.DONE; names++) {
            last = next;
            done = answer;
            next = in(session, temporary(String.valueOf(names + 1), 1_000));
            answer = answered(KEY, next);
        }
        assertEquals(16, names, "of 30 KiB each in 512 KiB");
        ServiceAnswer refused = answered(KEY, next);
        assertEquals(RegistryResult.FULL, refused.code());
        assertTrue(RegistryResult.LIMITS[(int) refused.first()].contains("share"));
        assertEquals(done, answered(KEY, last), "the step was done before");
        assertEquals(RegistryResult.DONE, answered(KEY, in(session, temporary("0", 0))).code(), "not temporary now");
        assertEquals(RegistryResult.DONE, answered(KEY, in(session, temporary("1", 1_000))).code(), "in its place");
        assertEquals(RegistryResult.DONE, answered(KEY, in(session, temporary("more", 1_000))).code());
        assertEquals(RegistryResult.FULL, answered(KEY, in(session, temporary("too much", 1_000))).code());
        client++;
        long other = open(KEY + 1);
        assertEquals(RegistryResult.DONE, answered(KEY + 1, in(other, temporary("of another", 1_000))).code());
        client--;
        answered(KEY, in(session, RegistryStep.of(StepCode.REMOVE, StepCode.ANY, "more")));
        assertEquals(RegistryResult.DONE, answered(KEY, in(session, temporary("again", 1_000))).code());
        log.isLeading = false;
        answered(KEY, RegistryStep.of(StepCode.GET, 0, "0"));
        log.isLeading = true;
        assertEquals(RegistryResult.DONE, answered(KEY, in(session, temporary("new leader", 1_000))).code());
    }

    /** Without a leader no client could renew its session. */
    @Test
    void newLeader_beginsAllLeasesAnew() {
        open(KEY);
        assertEquals(List.of(), overdue());
        nowNs += TimeUnit.MILLISECONDS.toNanos(2 * LEASE_MS);
        assertEquals(1, overdue().size(), "by the time of a follower");
        leases.leads(true);
        assertEquals(List.of(), overdue());
        nowNs += TimeUnit.MILLISECONDS.toNanos(LEASE_MS);
        leases.leads(true);
        assertEquals(List.of(), overdue());
        nowNs += TimeUnit.MILLISECONDS.toNanos(LEASE_MS / 50);
        assertEquals(1, overdue().size());
    }

    @Test
    void commandsOfServices_areTakenFromNoNode() {
        for (int nid : new int[] {1, 16, 61_440}) {
            assertThrows(IllegalArgumentException.class, () -> CellAnswers.checkSender(nid,
                new RegistryChange(RegistryStep.of(StepCode.END, 0, ""))));
        }
    }

    // ---- waits ----

    @Test
    void wait_forAPlace_endsWithItsGrant() {
        long session = open(KEY);
        ServiceAnswer held = answered(KEY, in(session, enter("lock")));
        assertTrue(held.second() > 0);
        ServiceAnswer place = answered(KEY, in(session, enter("lock")));
        assertEquals(0, place.second());
        Asked waiting = send(0, 1_000, RegistryStep.of(StepCode.AWAIT, place.first(), "lock"));
        Asked brief = send(0, 10, RegistryStep.of(StepCode.AWAIT, place.first(), "lock"));
        answered(KEY, in(session, put("a")));
        assertNull(waiting.answer);
        nowNs += TimeUnit.MILLISECONDS.toNanos(10);
        answers.wake();
        assertEquals(ServiceAnswer.WAITED, brief.answer.code());
        answered(KEY, in(session, RegistryStep.of(StepCode.LEAVE, held.first(), "lock")));
        assertEquals(RegistryResult.DONE, waiting.answer.code());
        assertTrue(waiting.answer.second() > held.second(), "a higher token");
        answered(KEY, in(session, RegistryStep.of(StepCode.LEAVE, place.first(), "lock")));
        assertEquals(RegistryResult.ABSENT, send(0, 1_000, RegistryStep.of(StepCode.AWAIT, place.first(), "lock"))
            .answer.code());
    }

    @Test
    void waitsOfOneClient_areBounded_andLeaveRoomForOthers() {
        long from = revision();
        List<Asked> all = new ArrayList<>();
        for (int i = 0; i < ServiceAnswers.WAITING_OF_ONE_MAX; i++) {
            all.add(send(0, 1_000, RegistryStep.of(StepCode.WATCH, from, "")));
        }
        assertEquals(ServiceAnswer.OVERLOADED, send(0, 1_000, RegistryStep.of(StepCode.WATCH, from, "")).answer.code());
        client++;
        Asked other = send(0, 1_000, RegistryStep.of(StepCode.WATCH, from, ""));
        assertNull(other.answer);
        long session = open(KEY);
        answered(KEY, in(session, put("a")));
        assertEquals("a", other.answer.rows().getFirst().name());
        all.forEach(each -> assertEquals("a", each.answer.rows().getFirst().name()));
    }

    @Test
    void watch_isAnsweredByTheNextChange_orByAGap() {
        long session = open(KEY);
        long from = revision();
        Asked waiting = send(0, 1_000, RegistryStep.of(StepCode.WATCH, from, "a/"));
        answered(KEY, in(session, put("b")));
        assertNull(waiting.answer);
        answered(KEY, in(session, put("a/1")));
        assertEquals("a/1", waiting.answer.rows().getFirst().name());
        assertEquals(ServiceAnswer.NOT_LEADING, send(0, 1_000, RegistryStep.of(StepCode.WATCH, revision() + 1, ""))
            .answer.code(), "this superpeer lags behind");
        for (int i = 0; i < 8_200; i++) {
            answered(KEY, in(session, put("a/2")));
        }
        ServiceAnswer gap = send(0, 1_000, RegistryStep.of(StepCode.WATCH, from, "a/")).answer;
        assertEquals(ServiceAnswer.GAP, gap.code());
        assertEquals(revision(), gap.first());
    }
}
