package io.teff.test.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a durable store keeps its promise when its process is killed, when its calls fail, and when its disk is full.
 * Method: {@code ./teff crash}, at the size of each tier. Parts that the
 * machine does not support are reported and skipped. A failure keeps its folder.
 */
@Timeout(value = 180, unit = TimeUnit.MINUTES)
@Tag("processes")
final class CrashLaneTest {
    private static final int HANG_SECONDS = 300;
    private static final int KILLS = Form.size(2, 6, 50);
    private static final int OPERATIONS_MIN = Form.size(50, 200, 1500);
    private static final int CALLS = Form.size(2, 2, 30);
    private static final int ERRORS = Form.size(1, 1, 8);
    private static final int FULLS = Form.size(1, 1, 4);
    private static final int WOUNDS = Form.size(2, 4, 24);
    private static final int STACKS = Form.size(1, 2, 20);

    private static CrashReport run(int kills, int calls, int errors, int fulls, int wounds, int stacks)
        throws IOException, InterruptedException {
        long seed = Long.getLong("seed", 1);
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "crash-");
        CrashReport report = CrashRun.run(new CrashPlan(seed, kills, calls, errors, fulls, wounds, stacks,
            folder, HANG_SECONDS, Plant.NONE), _ -> { });
        System.out.print(report.text());
        assertEquals(List.of(), report.wrongs(), () -> "reproduce: ./teff crash --seed=" + seed + " --kills=" + kills
            + " --calls=" + calls + " --errors=" + errors + " --fulls=" + fulls + " --wounds=" + wounds
            + " --stacks=" + stacks + "; files kept in: " + folder);
        CrashRun.delete(folder);
        return report;
    }

    @Test
    void kills_atRandomMoments_loseNothing() throws Exception {
        CrashReport report = run(KILLS, 0, 0, 0, 0, 0);
        assertTrue(report.operations() > OPERATIONS_MIN, () -> "operations " + report.operations());
    }

    @Test
    void kills_atConsecutiveCalls_loseNothing() throws Exception {
        CrashReport report = run(0, CALLS, 0, 0, 0, 0);
        assertTrue(!report.skipped().isEmpty() || report.killsAtCalls() > 5, "nothing was killed");
    }

    @FullTier("20 s of lives. The tests of recovery let each call of a log fail on a disk in memory.")
    @Test
    void failingCalls_areReportedAndLoseNothing() throws Exception {
        CrashReport report = run(0, 0, ERRORS, 0, 0, 0);
        assertTrue(!report.skipped().isEmpty() || report.failedCalls() > 0, "nothing has failed");
    }

    @Test
    void fullDisks_refuseAndLoseNothing() throws Exception {
        CrashReport report = run(0, 0, 0, FULLS, 0, 0);
        assertTrue(!report.skipped().isEmpty() || report.refused() > 0, "nothing was refused");
    }

    @Test
    void damagedFilesAndLostLocks_areNamedAndLoseNothing() throws Exception {
        CrashReport report = run(0, 0, 0, 0, WOUNDS, 0);
        assertTrue(report.wounds() >= WOUNDS, "nothing was damaged");
    }

    @Test
    void stacksThatEndInRecords_stopNothingAndLoseNothing() throws Exception {
        CrashReport report = run(0, 0, 0, 0, 0, STACKS);
        assertTrue(report.stacksEnded() > 0, "no stack has ended in a record");
    }
}
