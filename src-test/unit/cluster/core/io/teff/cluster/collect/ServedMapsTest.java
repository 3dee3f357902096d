package io.teff.cluster.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The gate of a zone: no step of a recording while a change of a collection is under way. */
class ServedMapsTest {
    private final ServedMaps maps = new ServedMaps();
    private final List<String> order = new CopyOnWriteArrayList<>();

    @Test
    void step_ofARecording_isNotTakenDuringAChange() {
        maps.enter();
        assertTrue(maps.whileNothingChanges(() -> order.add("step")), "the step is left");
        order.add("change");
        maps.leave();
        assertFalse(maps.whileNothingChanges(() -> !order.add("step")), "the last step");
        assertEquals(List.of("change", "step"), order);
    }

    @Test
    void change_waitsForAStepOfARecording() throws InterruptedException {
        Thread change = new Thread(() -> {
            maps.enter();
            order.add("change");
            maps.leave();
        });
        maps.whileNothingChanges(() -> {
            change.start();
            Threads.await("the change waits", () -> change.getState() == Thread.State.WAITING);
            return order.add("step");
        });
        change.join();
        assertEquals(List.of("step", "change"), order);
        assertNull(maps.known(1));
    }
}
