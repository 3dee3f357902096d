package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.config.StoreConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: an element of a durable queue that cannot be read now is still the first after a restart. Method: a record
 * whose constructor refuses, in its segment and in a chunk of its own.
 */
final class UnreadableElementTest {
    private static boolean isRefused;

    @TempDir
    private Path temporary;

    record Job(int number, byte[] content) {
        Job {
            if (isRefused && number == 0) {
                throw new IllegalStateException("not now");
            }
        }
    }

    private DurableStore open() {
        return DurableStore.open(temporary.resolve("data"), DurableConfig.builder()
            .store(StoreConfig.builder().memoryLimitBytes(64 << 20).build()).writeBufferBytes(1 << 23)
            .segmentBytes(1 << 21).build());
    }

    private static ChunkQueue<Job> jobs(DurableStore durable) {
        return durable.store().queue("jobs", Codecs.of(Job.class));
    }

    @Test
    void element_isStillTheFirstAfterARestart() {
        for (int bytes : List.of(10, 100_000)) {
            try (DurableStore durable = open()) {
                ChunkQueue<Job> jobs = jobs(durable);
                jobs.add(new Job(0, new byte[bytes]));
                jobs.add(new Job(1, new byte[bytes]));
                isRefused = true;
                for (Consumer<Queue<Job>> take : List.<Consumer<Queue<Job>>>of(Queue::poll, Queue::remove)) {
                    assertThrows(RuntimeException.class, () -> take.accept(jobs));
                }
                isRefused = false;
            }
            try (DurableStore durable = open()) {
                ChunkQueue<Job> jobs = jobs(durable);
                jobs.audit();
                assertEquals(2, jobs.size());
                assertEquals(0, jobs.peek().number());
                assertTrue(jobs.skip());
            }
            try (DurableStore durable = open()) {
                assertEquals(1, jobs(durable).poll().number());
                assertEquals(0, jobs(durable).size());
            }
        }
    }
}
