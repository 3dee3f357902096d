package io.teff.recovery.backup;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.log.CrashImages;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a log of a backup has what a model says: each copy the records that were appended to it, in order and without a
 * hole, read back as the newest entry of each index; also after restarts and crashes. What was reported as logged is
 * there after a kill, what was reported as synced after a power cut, a record as a whole or not at all, and a dropped
 * copy as a whole or not at all.
 *
 * <p>Method: random runs, drops, reads, tails and restarts, in one thread; images of the disk before each call to it.
 */
final class BackupModelTest {
    @Property(tries = 40)
    void anySteps_leaveWhatTheModelSays(@ForAll long seed) {
        BackupScript script = new BackupScript(seed);
        script.dies = true;
        script.play(300);
    }

    @Test
    void steps_doEverything() {
        BackupScript script = new BackupScript(1);
        script.play(3000);
        assertTrue(script.refusals > 0 && script.tails > 0 && script.cleanings > 5,
            script.refusals + " " + script.tails + " " + script.cleanings);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void crashAtEachCall_losesNothingThatWasAcknowledged(long seed) {
        BackupScript script = new BackupScript(seed);
        CrashImages images = new CrashImages();
        AtomicInteger calls = new AtomicInteger();
        images.takeKindsFrom(script.disk, seed, 1, (image, isKill) -> {
            if (calls.incrementAndGet() % 3 == 0) {
                script.check(image, isKill);
            }
        });
        script.play(120);
        System.out.println("BackupModelTest: " + calls + " images");
        assertTrue(calls.get() > 300, () -> calls + " images");
    }

    /** After a failed call the log may have failed; then nothing that was acknowledged is lost. */
    @Test
    void failureAtEachCall_losesNothingThatWasAcknowledged() {
        int failures = 0;
        for (Call call : Call.values()) {
            boolean isReached = call != Call.USABLE && call != Call.LOCK && call != Call.MAP && call != Call.LINK;
            for (int n = 0; isReached; n += 1 + n / 6) {
                BackupScript script = new BackupScript(n % 4);
                script.isFailing = true;
                script.disk.fail(call, n, Fault.BROKEN);
                try {
                    script.play(60);
                } catch (StoreException e) {
                    assertTrue(e.category() != Category.DEGRADED, () -> "the disk is not full: " + e);
                }
                isReached = script.disk.calls(call) > n;
                script.disk.heal();
                new CrashImages().takeKindsNow(script.disk, n, 2, script::check);
                failures++;
            }
        }
        System.out.println("BackupModelTest: " + failures + " failures");
        assertTrue(failures > 60, failures + " failures");
    }

    /** A full disk passes: no call fails for good, and no append has left a part. */
    @Test
    void fullDiskAtEachCall_canPass() {
        int failures = 0;
        for (Call call : new Call[] {Call.CREATE, Call.WRITE, Call.RENAME}) {
            boolean isReached = true;
            for (int n = 0; isReached; n += 1 + n / 6) {
                BackupScript script = new BackupScript(n % 4);
                script.isFailing = true;
                script.disk.fail(call, n, Fault.FULL);
                script.play(100);
                isReached = script.disk.calls(call) > n;
                new CrashImages().takeKindsNow(script.disk, n, 2, script::check);
                failures++;
            }
        }
        assertTrue(failures > 30, failures + " failures");
    }
}
