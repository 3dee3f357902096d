package io.teff.rdma.verbs.device;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Goal: a wait ends when it is woken, before or within it, and by its time. The lane rdma has those of devices. */
final class DescriptorWaitTest {
    @Test
    void wake_endsTheNextWait_once() {
        try (DescriptorWait wait = DescriptorWait.open()) {
            wait.wake();
            wait.wake();
            assertTrue(wait.await(Long.MAX_VALUE));
            assertFalse(wait.await(0));
            assertFalse(wait.await(1));
        }
    }

    @Test
    void wake_endsTheWaitOfAnotherThread() {
        try (DescriptorWait wait = DescriptorWait.open()) {
            final CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> wait.await(Long.MAX_VALUE));
            wait.wake();
            assertTrue(waiting.join());
        }
    }

    @Test
    void closed_cannotWait_andIgnoresWakes() {
        final DescriptorWait wait = DescriptorWait.open();
        wait.close();
        wait.wake();
        assertThrows(IllegalStateException.class, () -> wait.await(0));
    }

    @Test
    void add_moreThanTheLimit_isRefused() {
        try (DescriptorWait wait = DescriptorWait.open()) {
            for (int i = 0; i < DescriptorWait.DESCRIPTORS_MAX; i++) {
                wait.add(0);
            }
            assertThrows(IllegalStateException.class, () -> wait.add(0));
        }
    }
}
