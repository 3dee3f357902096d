package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Namespaces;
import io.teff.test.kit.Namespaces.Cut;
import io.teff.test.cluster.nodes.NodeProcess.Times;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a cut network that is mended before the session limit loses, duplicates and reorders nothing; a longer cut
 * costs the session, and no thread waits forever.
 *
 * <p>Method: two JVMs in network namespaces of their own, with a router between the JVMs. The router loses or refuses
 * packets while messages and requests flow: all, some or the long packets, in one or both directions. The machine must
 * allow network namespaces, which takes root. {@code -Dteff.long=true} cuts 24 times, for 1 to 15 s.
 */
@Tag("processes")
@FullTier("cuts of seconds, which take root; the lane sim has cuts of both directions in virtual time")
@Timeout(value = 30, unit = TimeUnit.MINUTES)                 // the long form's cuts take ten
final class CutNetworkTest {
    private static final boolean IS_LONG = Form.isLong();
    private static final int ROUNDS = IS_LONG ? 3 : 1;
    /** Cuts during which no lasting link can be made. */
    private static final Set<Cut> LONG_CUTS = EnumSet.complementOf(EnumSet.of(Cut.LONG_TO_B, Cut.SOME));
    private static final int SOME = 50;
    private static final long SILENCE_MS = 500;
    private static final long SHORT_MS = 1_200;
    private static final long LONG_STEP_MS = 1_700;

    @TempDir
    private Path folder;
    private Namespaces namespaces;

    @BeforeEach
    void makeNamespaces() throws IOException, InterruptedException {
        final String missing = Namespaces.missing();
        if (missing != null) {
            System.out.println("cuts: left out, " + missing);
        }
        assumeTrue(missing == null, missing);
        namespaces = new Namespaces();
    }

    @AfterEach
    void removeNamespaces() {
        if (namespaces != null) {
            namespaces.close();
        }
    }

    private NodeProcess start(int nid, String side, Times times) throws IOException {
        final String address = "tcp:" + Namespaces.address(side) + ":0";
        return new NodeProcess(folder, namespaces.within(side), nid, 1, address, times);
    }

    private static void connect(NodeProcess one, NodeProcess two) throws IOException, InterruptedException {
        one.sendTo(two);
        two.sendTo(one);
        flow(one, two);
    }

    private static void flow(NodeProcess one, NodeProcess two) throws InterruptedException {
        one.awaitAnswers(two, SOME);
        two.awaitAnswers(one, SOME);
    }

    @Test
    void shortCuts_loseNothing() throws IOException, InterruptedException {
        final Times times = new Times(SILENCE_MS, 60_000, 300, 1_000);
        try (NodeProcess one = start(1, "a", times); NodeProcess two = start(2, "b", times)) {
            connect(one, two);
            int cuts = 0;
            for (int round = 0; round < ROUNDS; round++) {
                for (Cut cut : Cut.values()) {
                    final long away = one.figure("away.2") + two.figure("away.1");
                    namespaces.cut(cut, false);
                    one.live(SHORT_MS + LONG_STEP_MS * round);
                    if (cut.isTotal()) {                        // a busy machine may notice it later
                        one.await(cut + " is noticed", () -> one.figure("away.2") + two.figure("away.1") > away,
                            () -> one.figures() + "\n" + two.figures());
                    }
                    namespaces.cut(cut, true);
                    flow(one, two);
                    cuts++;
                }
            }
            one.rest();
            two.rest();
            one.checkAllArrive(two);
            two.checkAllArrive(one);
            one.check(two);
            two.check(one);
            print("short", cuts, one, two);
        }
    }

    @Test
    void longCut_endsTheSession_andAllThatWaits() throws IOException, InterruptedException {
        final Times times = new Times(SILENCE_MS, 1_500, 300, 1_000);
        try (NodeProcess one = start(1, "a", times); NodeProcess two = start(2, "b", times)) {
            connect(one, two);
            int cuts = 0;
            for (int round = 0; round < ROUNDS; round++) {
                for (Cut cut : IS_LONG ? LONG_CUTS : Set.of(Cut.BOTH)) {
                    final long before = one.figure("lost.2");
                    final long beforeThere = two.figure("lost.1");
                    namespaces.cut(cut, false);
                    one.await(cut + " ends the session on both sides", () -> one.figure("lost.2") > before
                        && two.figure("lost.1") > beforeThere, () -> one.figures() + "\n" + two.figures());
                    namespaces.cut(cut, true);
                    flow(one, two);
                    cuts++;
                }
            }
            one.rest();
            two.rest();
            one.checkDoubt(two);
            two.checkDoubt(one);
            one.check(two);
            two.check(one);
            assertTrue(one.sum("failed", 2) > 0, () -> "some requests have failed: " + one.figures());
            print("long", cuts, one, two);
        }
    }

    private static void print(String what, int cuts, NodeProcess one, NodeProcess two) {
        final Map<String, Long> its = one.figures();
        final Map<String, Long> others = two.figures();
        final long away = its.getOrDefault("away.2", 0L);
        final long lost = its.getOrDefault("lost.2", 0L);
        assertEquals(its.get("asked.2"), its.get("answered.2") + one.sum("failed", 2), "requests");
        System.out.println("cuts: " + cuts + " " + what + "; " + (one.sentTo(two) + two.sentTo(one)) + " messages, "
            + (its.get("asked.2") + others.get("asked.1")) + " requests, of which "
            + (one.sum("failed", 2) + two.sum("failed", 1)) + " failed, the latest "
            + Math.max(its.get("lateMs.2"), others.get("lateMs.1")) + " ms after its deadline; node 1 has lost " + away
            + " links and " + lost + " sessions, so it has resumed " + (away - lost));
    }
}
