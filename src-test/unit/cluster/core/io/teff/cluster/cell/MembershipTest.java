package io.teff.cluster.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.HeartbeatAnswer;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.os.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Goal: no superpeer that is silent holds up the tables. Method: a membership without a thread, whose superpeers answer
 * each heartbeat and each question when the test says so; the time is the test's.
 */
class MembershipTest {
    private static final int SUPERPEERS = 3;
    private static final long BEAT_NS = 100_000_000L;
    private static final long TIMEOUT_NS = 5_000_000_000L;

    /** A question for rows that was sent. */
    private record Question(int superpeer, long sinceNs, CompletableFuture<TableAnswer> answer) {}

    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - TIMEOUT_NS);      // it overflows on the way
    private final long[] versions = new long[SUPERPEERS];                              // 0: the superpeer is dead
    private final List<Question> questions = new ArrayList<>();
    private final Tables tables = new Tables(SuperpeerSet.of(SUPERPEERS));
    private final CellClient cell = new CellClient(this::request, tables::superpeers);
    private final Membership membership = new Membership(new NodeRef(16, 1), this::request,
        new LeaseTerms(1_000_000_000L, 10), cell, tables, Platform.SYSTEM.withClock(nowNs::get),
        NodeLog.NONE, new Membership.Listener() {
            @Override
            public void changed(List<ZoneRow> rows) {}

            @Override
            public void expired() {}
        });
    private boolean isFull;

    @SuppressWarnings("unchecked")                              // the type of the request says which answer it has
    private <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
        int superpeer = nid - CellMessages.nid(0);
        if (request instanceof Heartbeat beat) {
            return versions[superpeer] == 0 ? new CompletableFuture<>() : (CompletableFuture<R>) CompletableFuture
                .completedFuture(new HeartbeatAnswer(superpeer, beat.number(), true, true, true, versions[superpeer],
                    false));
        }
        assertEquals(TIMEOUT_NS, timeoutNs);
        if (isFull) {
            throw new NetworkException(Reason.FULL, nid, "there is no room to send");
        }
        questions.add(new Question(superpeer, nowNs.get(), new CompletableFuture<>()));
        return (CompletableFuture<R>) questions.getLast().answer();
    }

    private void beat() {
        membership.beat();
        nowNs.addAndGet(BEAT_NS);
    }

    private void alive(long... next) {
        System.arraycopy(next, 0, versions, 0, SUPERPEERS);
    }

    private List<Integer> asked() {
        return questions.stream().map(Question::superpeer).toList();
    }

    private static TableAnswer rows(long version) {
        return new TableAnswer(version, List.of(), List.of(), null, null, 2, 0);
    }

    @Test
    void question_toASuperpeerThatDies_isSoonSentToAnotherOne() {
        alive(1, 0, 0);
        beat();
        assertEquals(List.of(0), asked());
        alive(0, 2, 2);                                         // the first one is killed before it answers
        beat();
        beat();
        assertEquals(List.of(0), asked(), "it may still answer");
        beat();
        assertEquals(List.of(0, 1), asked());
        questions.getLast().answer().complete(rows(2));
        assertEquals(2, tables.version());
        alive(0, 3, 3);
        beat();
        assertEquals(List.of(0, 1, 1), asked(), "the question to the dead one does not count any more");
    }

    @Test
    void questions_toASuperpeerThatIsSlow_areNotManyAtATime_andTheirAnswersAreUsed() {
        alive(1, 1, 1);
        for (long end = nowNs.get() + TIMEOUT_NS; nowNs.get() - end < 0;) {
            beat();
        }
        List<Long> ages = questions.stream()
            .map(next -> (next.sinceNs() - questions.getFirst().sinceNs()) / BEAT_NS).toList();
        assertEquals(List.of(0L, 3L, 6L, 10L, 13L, 16L, 20L, 23L, 26L, 30L, 33L, 36L, 40L, 43L, 46L), ages, "beats");
        assertEquals(List.of(0, 1, 2, 0, 1, 2), asked().subList(0, 6));
        questions.getFirst().answer().complete(rows(1));
        assertEquals(1, tables.version(), "the answer to the first question comes last of all, and counts");
    }

    @Test
    void question_thatFailsOrIsNotSent_isRepeatedAtOnce() {
        alive(1, 0, 0);
        isFull = true;
        beat();
        isFull = false;
        beat();
        questions.getFirst().answer().completeExceptionally(
            new NetworkException(Reason.TIMED_OUT, 1, "no answer in time"));
        beat();
        assertEquals(List.of(0, 0), asked());
        assertEquals(0, tables.version());
    }

    @Test
    void question_toASuperpeerThatWasAskedAgain_endsWithoutTheSecondOne() {
        alive(1, 0, 0);
        for (int i = 0; i <= 10; i++) {
            beat();
        }
        assertEquals(List.of(0, 0), asked());
        questions.getFirst().answer().completeExceptionally(
            new NetworkException(Reason.TIMED_OUT, 1, "no answer in time"));
        beat();
        assertEquals(List.of(0, 0), asked(), "the second one is still pending");
    }
}
