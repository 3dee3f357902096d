package io.teff.engine.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class JobFutureTest {
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final int STEPS = 5;

    /** All sequences of begin, hasNotRun and the end of the time, beside a flag. */
    @Test
    void endOfTheTime_saysWhetherTheJobMayHaveRun() {
        for (int sequence = 0; sequence < 1 << STEPS; sequence++) {
            JobFuture future = new JobFuture("job", HOUR_NS);
            boolean mayHaveRun = false;
            for (int step = 0; step < STEPS; step++) {
                if ((sequence >> step & 1) == 0) {
                    future.hasNotRun();
                    mayHaveRun = false;
                } else {
                    assertTrue(future.begin());
                    mayHaveRun = true;
                }
            }
            future.completeExceptionally(new TimeoutException());
            assertEquals(mayHaveRun ? Reason.UNKNOWN_OUTCOME : Reason.TIMED_OUT, reason(future), "" + sequence);
            assertFalse(future.begin());
            future.hasNotRun();
            assertFalse(future.begin());
        }
    }

    @Test
    void late_withoutARun_preventsEachLaterRun() {
        JobFuture future = new JobFuture("job", HOUR_NS);
        assertEquals(Reason.TIMED_OUT, future.late());
        assertFalse(future.begin());
        assertEquals(Reason.TIMED_OUT, future.late());
    }

    @Test
    void ownTime_endsTheFuture() {
        assertEquals(Reason.TIMED_OUT, reason(new JobFuture("job", 1)));
    }

    @Test
    void otherFailures_stayAsTheyAre() {
        JobFuture future = new JobFuture("job", HOUR_NS);
        assertTrue(future.begin());
        future.completeExceptionally(new JobException(Reason.FAILED, "as wished"));
        assertEquals(Reason.FAILED, reason(future));
        assertFalse(future.begin());
    }

    private static Reason reason(JobFuture future) {
        return ((JobException) assertThrows(CompletionException.class, future::join).getCause()).reason();
    }
}
