package io.teff.test.rules.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: a test that waits and is given up ends, so that it does not disturb the tests after it. */
final class AwaitTest {
    private static final long PATIENCE_S = 60;

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    @Test
    void await_interruptedMeanwhile_endsAndKeepsTheFlag() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1000);      // it parks by then
        CompletableFuture<Boolean> isKept = new CompletableFuture<>();
        CompletableFuture<String> error = new CompletableFuture<>();
        Thread waiter = Thread.ofPlatform().daemon().start(() -> {
            error.complete(assertThrows(AssertionError.class, () -> Threads.await("nothing", () -> {
                waiting.countDown();
                return false;
            })).getMessage());
            isKept.complete(Thread.currentThread().isInterrupted());
        });
        assertTrue(waiting.await(PATIENCE_S, TimeUnit.SECONDS));
        waiter.interrupt();
        assertEquals("interrupted, waiting: nothing", error.get(PATIENCE_S, TimeUnit.SECONDS));
        assertTrue(isKept.get(PATIENCE_S, TimeUnit.SECONDS));
    }

    @Test
    void await_interruptedBefore_endsUnlessTheConditionHolds() {
        Thread.currentThread().interrupt();
        Threads.await("what is there", () -> true);
        assertThrows(AssertionError.class, () -> Threads.await("nothing", () -> false));
        assertTrue(Thread.interrupted());
    }

    @Test
    void await_afterItsTime_endsAndSaysForWhatItWaited() {
        int[] calls = new int[1];
        String message = assertThrows(AssertionError.class, () -> Threads.await(0, () -> calls[0] + " calls", () -> {
            calls[0]++;
            return false;
        })).getMessage();
        assertEquals("still waiting after 0 s: " + calls[0] + " calls", message);
    }
}
