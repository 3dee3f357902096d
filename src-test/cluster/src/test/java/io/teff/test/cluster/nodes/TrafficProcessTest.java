package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Lateness;
import io.teff.test.cluster.nodes.NodeProcess.Times;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a suspended process blocks no other node and loses nothing; the death of a process is detected by all others in
 * time, and its successor gets new messages only.
 *
 * <p>Method: three JVMs send numbered messages and requests to each other over TCP; one of them gets SIGSTOP, SIGCONT
 * and SIGKILL. {@code -Dteff.long=true} does so four times. What ends too late is tried again
 * if the machine was late.
 */
@Tag("processes")
@FullTier("stops and kills of seconds; the lane sim has pauses and restarts in virtual time, FaultTourTest kills nodes")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class TrafficProcessTest {
    private static final int ROUNDS = Form.size(1, 4);
    private static final int SOME = 100;
    private static final long STOPPED_MS = 4_000;
    /** After which a node that was never reached is unreachable, as it is by default. */
    private static final long REACH_MS = 3_000;
    private static final String LISTEN = "tcp:127.0.0.1:0";

    @TempDir
    private Path folder;

    private NodeProcess start(int nid, int start, Times times) throws IOException {
        return new NodeProcess(folder, List.of(), nid, start, LISTEN, times);
    }

    private static void connect(NodeProcess... nodes) throws IOException, InterruptedException {
        for (NodeProcess from : nodes) {
            for (NodeProcess to : nodes) {
                if (from != to) {
                    from.sendTo(to);
                }
            }
        }
        for (NodeProcess from : nodes) {
            for (NodeProcess to : nodes) {
                if (from != to) {
                    from.awaitAnswers(to, SOME);
                }
            }
        }
    }

    @Test
    void nodeThatIsStopped_blocksNobodyElse_andLosesNothing() throws Exception {
        Lateness.retried(this::stopOne);
    }

    private void stopOne() throws IOException, InterruptedException {
        final Times times = new Times(1_000, 60_000, 300, 1_000);
        try (NodeProcess one = start(1, 1, times); NodeProcess two = start(2, 1, times);
             NodeProcess three = start(3, 1, times)) {
            connect(one, two, three);
            for (int round = 1; round <= ROUNDS; round++) {
                stop(three, round, one, two);
            }
            final List<NodeProcess> all = List.of(one, two, three);
            for (NodeProcess it : all) {
                it.rest();
            }
            long messages = 0;
            for (NodeProcess from : all) {
                for (NodeProcess to : all) {
                    if (from != to) {
                        from.checkAllArrive(to);
                        messages += from.sentTo(to);
                    }
                }
            }
            one.check(two);
            two.check(one);
            one.check(three);
            two.check(three);
            final Map<String, Long> its = one.figures();
            System.out.println("stopped: " + ROUNDS + " times, " + messages + " messages; to the stopped one "
                + one.sum("refused", 3) + " sends refused, " + one.sum("failed", 3) + " requests failed, the latest "
                + its.get("lateMs.3") + " ms after its deadline, the longest send " + its.get("sendMs.3") + " ms");
        }
    }

    private static void stop(NodeProcess victim, int round, NodeProcess one, NodeProcess two)
        throws IOException, InterruptedException {
        final long refused = one.sum("refused", victim.nid);
        victim.signal("STOP");
        try {
            final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOPPED_MS + 500L * (round - 1));
            while (System.nanoTime() - end < 0) {
                final long begun = System.nanoTime();
                one.awaitAnswers(two, 1);
                two.awaitAnswers(one, 1);
                final long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
                assertTrue(tookMs < NodeProcess.slackMs(one.figures()), () -> "no traffic for " + tookMs + " ms");
            }
            final Map<String, Long> its = one.figures();
            assertTrue(one.sum("refused", victim.nid) > refused, () -> "sends to it end: " + its);
            assertTrue(its.keySet().stream().noneMatch(it -> it.startsWith("refused.")
                && !it.matches("refused[.](TIMED_OUT|FULL)[.].*")), its::toString);
            assertTrue(its.get("sendMs.3") < 300 + NodeProcess.slackMs(its), its::toString);
        } finally {
            victim.signal("CONT");
        }
        one.awaitAnswers(victim, SOME);
        two.awaitAnswers(victim, SOME);
    }

    /** Requests with a short deadline end by it; those with a long one end with their session. */
    @ParameterizedTest
    @ValueSource(longs = {1_000, 60_000})
    void nodeThatIsKilled_endsItsRequests_andItsSuccessorGetsNewMessages(long requestMs) throws Exception {
        Lateness.retried(() -> killOne(requestMs));
    }

    private void killOne(long requestMs) throws IOException, InterruptedException {
        final Times times = new Times(1_000, 2_000, 300, requestMs);
        final List<NodeProcess> killed = new ArrayList<>();
        try (NodeProcess one = start(1, 1, times); NodeProcess two = start(2, 1, times)) {
            NodeProcess three = start(3, 1, times);
            killed.add(three);
            connect(one, two, three);
            for (int round = 1; round <= 2 * ROUNDS; round++) {
                final Map<String, Long> before = one.figures();
                three.kill();
                if (round % 2 == 0) {                           // its sessions are over before it is there again
                    one.await("the end of its session", () -> one.figure("lost.3") > before.getOrDefault("lost.3", 0L),
                        () -> one.figures().toString());
                }
                three = start(3, round + 1, times);
                killed.add(three);
                three.sendTo(one);
                one.say("at 3 " + three.address);
                two.say("at 3 " + three.address);
                one.awaitAnswers(three, SOME);
                two.awaitAnswers(three, SOME);
                three.awaitAnswers(one, SOME);
                onlyNew(three, before);
            }
            one.rest();
            two.rest();
            three.rest();
            one.check(three);
            two.check(three);
            three.check(one);
            one.checkAllArrive(two);
            two.checkAllArrive(one);
            final Map<String, Long> its = one.figures();
            if (requestMs > times.away()) {
                assertTrue(its.getOrDefault("failed.LOST.3", 0L) >= ROUNDS, its::toString);
                final long longestMs = its.get("lateMs.3") + requestMs;
                assertTrue(longestMs < Math.max(times.away(), REACH_MS) + NodeProcess.slackMs(its), its::toString);
            }
            System.out.println("killed: " + 2 * ROUNDS + " times, " + one.sentTo(three) + " messages to it; "
                + its.get("asked.3") + " requests, " + one.sum("failed", 3) + " failed, the latest "
                + its.get("lateMs.3") + " ms after its deadline; " + its.get("lost.3") + " sessions lost");
        } finally {
            for (NodeProcess it : killed) {
                it.close();
            }
        }
    }

    /** Messages sent before the kill went to the predecessor. */
    private static void onlyNew(NodeProcess successor, Map<String, Long> before) throws InterruptedException {
        for (int lane = 1; lane <= TrafficNode.LANES; lane++) {
            final String first = "first.1.1." + lane;
            successor.await(first, () -> successor.figure(first) > 0, () -> successor.figures().toString());
            assertTrue(successor.figure(first) > before.get("sent.3." + lane), () -> "an old message: "
                + successor.figures() + "\n" + before);
        }
    }
}
