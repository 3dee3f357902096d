package io.teff.test.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkStore;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.compute.JobTarget;
import io.teff.engine.compute.Reduction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One program with jobs and groups has the same results on a store of this process and on a cluster. */
final class ComputeOnStoresTest {
    @ParameterizedTest
    @EnumSource(Fresh.class)
    void submit_byTarget_hasTheSameResults(Fresh kind) {
        ChunkStore store = kind.store();
        long cid = store.create(new byte[] {1});
        assertArrayEquals(new byte[] {3}, store.compute().submit(JobTarget.chunk(cid), AddJob.NAME, new byte[] {2})
            .join());
        assertArrayEquals(new byte[] {6}, store.compute().submit(JobTarget.chunk(cid), AddJob.NAME, new byte[] {3},
            JobOptions.DEFAULT.once()).join());
        assertArrayEquals(new byte[] {6}, store.chunks().get(cid).orElseThrow());
        store.remove(cid);
        JobException failure = failure(store.compute().submit(JobTarget.chunk(cid), AddJob.NAME, new byte[] {2}));
        assertEquals(JobException.Reason.FAILED, failure.reason());
        assertEquals("job " + AddJob.NAME + " has failed: java.lang.IllegalStateException: no chunk",
            failure.getMessage());
        failure = failure(store.compute().submit(JobTarget.ANY, "conformance/nothing", new byte[0]));
        assertEquals(JobException.Reason.UNKNOWN, failure.reason());
        assertTrue(failure.getMessage().contains("conformance/nothing on its class path"), failure::getMessage);
    }

    private static JobException failure(CompletableFuture<byte[]> future) {
        return (JobException) assertThrows(CompletionException.class, future::join).getCause();
    }

    @ParameterizedTest
    @EnumSource(Fresh.class)
    void step_ofAGroup_hasTheSameResults(Fresh kind) {
        try (ComputeGroup group = kind.store().compute().group(GroupOptions.DEFAULT.workers(4))) {
            assertEquals(0, group.step(RingTask.NAME, new byte[0], Reduction.SUM).number());
            for (int step = 2; step < 5; step++) {
                assertEquals(6, group.step(RingTask.NAME, new byte[0], Reduction.SUM).number());
            }
            assertEquals(3, group.step(RingTask.NAME, new byte[0], Reduction.MAX).number());
        }
    }
}
