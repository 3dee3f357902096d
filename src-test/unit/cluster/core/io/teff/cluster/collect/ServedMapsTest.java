package io.teff.cluster.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.test.kit.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The gate of a zone: no step of a recording while a change of a collection is under way. */
class ServedMapsTest {
    private final ServedMaps maps = new ServedMaps();
    private final List<String> order = new CopyOnWriteArrayList<>();

    @Test
    void step_ofARecording_waitsForChanges() throws InterruptedException {
        maps.enter();
        Thread recording = new Thread(() -> maps.whileNothingChanges(() -> order.add("step")));
        recording.start();
        Threads.await("the recording waits", () -> recording.getState() == Thread.State.WAITING);
        order.add("change");
        maps.leave();
        recording.join();
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
