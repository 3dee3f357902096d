package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.compute.Compute;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobCall;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.compute.JobTarget;
import io.teff.engine.compute.Reduction;
import io.teff.engine.compute.TaskScript;
import io.teff.test.kit.Threads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs and groups of a store of this JVM. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LocalComputeTest {
    private static final int JOBS = 200;
    private static final JobOptions OPTIONS = JobOptions.DEFAULT;

    private static volatile CountDownLatch waiting = new CountDownLatch(0);
    private static final AtomicBoolean HAS_SEEN_CANCEL = new AtomicBoolean();

    private final Store store = Store.open();
    private final Compute compute = store.compute();
    private final long cid = store.create(new byte[Long.BYTES]);

    static {
        add("local/add", job -> {
            byte[] sum = sum(job.get(job.cid()), job.argument());
            job.put(job.cid(), sum);
            assertArrayEquals(sum, job.get(job.cid()), "a job reads its own changes");
            return sum;
        });
        add("local/fail", job -> {
            job.put(job.cid(), new byte[] {1});
            throw new IllegalStateException("as wished");
        });
        add("local/long", job -> {
            job.put(job.cid(), new byte[] {1});
            return new byte[JobOptions.ONCE_RESULT_BYTES_MAX + 1];
        });
        add("local/absent", job -> {
            job.put(job.cid(), new byte[] {1});
            job.put(Cid.of(Cid.nid(job.cid()), 999_999), new byte[] {1});
            return new byte[0];
        });
        add("local/wait", job -> {
            waiting.countDown();
            Threads.await("a cancel", job::isCancelled);
            HAS_SEEN_CANCEL.set(true);
            return new byte[0];
        });
        add("local/remove", job -> {
            job.remove(job.cid());
            return new byte[0];
        });
        LocalCompute.tasks().add(task("local/exchange", task -> {
            long[] sum = new long[1];
            task.receive((from, batch) -> {
                assertEquals(0, batch.remaining() % Long.BYTES);
                while (batch.hasRemaining()) {
                    sum[0] += batch.getLong();
                }
            });
            for (int to = 0; to < task.workers(); to++) {
                for (int i = 0; i < 100; i++) {
                    task.sendLong(to, task.step());
                }
            }
            int[] steps = task.kept(() -> new int[1]);
            steps[0]++;
            return Reduction.bytes(sum[0], steps[0], task.reduced().length);
        }));
        LocalCompute.tasks().add(task("local/fails", task -> {
            if (task.worker() == 1) {
                throw new IllegalStateException("worker 1");
            }
            Threads.await("the end of the step", task::isCancelled);
            return new byte[0];
        }));
        LocalCompute.tasks().add(task("local/part", task -> {
            long[] count = new long[1];
            task.forEachCid(_ -> count[0]++);
            return Reduction.bytes(count[0]);
        }));
    }

    @FunctionalInterface
    private interface Body {
        byte[] run(JobContext job) throws Exception;
    }

    @FunctionalInterface
    private interface TaskBody {
        byte[] run(TaskContext task) throws Exception;
    }

    private static void add(String name, Body body) {
        LocalCompute.jobs().add(new ChunkJob() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public byte[] run(JobContext job) throws Exception {
                return body.run(job);
            }
        });
    }

    private static GroupTask task(String name, TaskBody body) {
        return new GroupTask() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public byte[] run(TaskContext task) throws Exception {
                return body.run(task);
            }
        };
    }

    private static byte[] sum(byte[] chunk, byte[] argument) {
        return number(ByteBuffer.wrap(chunk).getLong() + ByteBuffer.wrap(argument).getLong());
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static JobException failure(CompletableFuture<byte[]> future) {
        return (JobException) assertThrows(CompletionException.class, future::join).getCause();
    }

    @AfterEach
    void close() {
        if (store.isOpen()) {
            store.audit();
            store.close();
        }
    }

    // ---- jobs ----

    /** Jobs that read and change one chunk at the same time lose no addition. */
    @Test
    void submit_manyJobsOfOneChunk_loseNoAddition() {
        List<JobCall> calls = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            calls.add(new JobCall(JobTarget.chunk(cid), "local/add", number(i)));
        }
        compute.submitAll(calls, OPTIONS).forEach(CompletableFuture::join);
        assertArrayEquals(number(JOBS * (JOBS - 1L) / 2), store.chunks().get(cid).orElseThrow());
    }

    @Test
    void submit_jobThatFails_changesNothing() {
        JobException failure = failure(compute.submit(JobTarget.chunk(cid), "local/fail", new byte[0]));
        assertEquals(Reason.FAILED, failure.reason());
        assertTrue(failure.getMessage().contains("as wished"), failure::getMessage);
        assertEquals(Reason.FAILED, failure(compute.submit(JobTarget.chunk(cid), "local/long", new byte[0],
            OPTIONS.once())).reason());
        failure = failure(compute.submit(JobTarget.chunk(cid), "local/absent", new byte[0]));
        assertEquals(Reason.FAILED, failure.reason());
        assertTrue(failure.getMessage().contains("does not exist"), failure::getMessage);
        assertArrayEquals(new byte[Long.BYTES], store.chunks().get(cid).orElseThrow());
        compute.submit(JobTarget.chunk(cid), "local/remove", new byte[0]).join();
        assertNull(store.chunks().get(cid).orElse(null));
    }

    @Test
    void submit_unknownNameOrZone_isRefusedByName() {
        JobException failure = failure(compute.submit(JobTarget.ANY, "local/nothing", new byte[0]));
        assertEquals(Reason.UNKNOWN, failure.reason());
        assertTrue(failure.getMessage().contains("local/nothing"), failure::getMessage);
        assertEquals(Reason.REFUSED, failure(compute.submit(JobTarget.zone(77), "local/add", number(1))).reason());
        assertThrows(IllegalArgumentException.class, () -> compute.submit(JobTarget.ANY, "", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> compute.submit(JobTarget.ANY, "local/add", new byte[0],
            OPTIONS.once()));
    }

    @Test
    void cancel_isSeenByTheJob() throws InterruptedException {
        waiting = new CountDownLatch(1);
        HAS_SEEN_CANCEL.set(false);
        CompletableFuture<byte[]> future = compute.submit(JobTarget.ANY, "local/wait", new byte[0]);
        waiting.await();
        assertTrue(future.cancel(true));
        Threads.await("the end of the job", HAS_SEEN_CANCEL::get);
    }

    /** A job whose time is over while it waits for a thread has changed nothing, and does not run any more. */
    @Test
    void submit_jobThatWaitsTooLong_isTimedOut_andNeverRuns() throws InterruptedException {
        long cid = store.create(number(0));
        List<CompletableFuture<byte[]>> busy = new ArrayList<>();
        for (int i = 0; i < Math.max(2, Runtime.getRuntime().availableProcessors()); i++) {
            waiting = new CountDownLatch(1);
            busy.add(compute.submit(JobTarget.ANY, "local/wait", new byte[0]));
            waiting.await();
        }
        assertEquals(Reason.TIMED_OUT, failure(compute.submit(JobTarget.chunk(cid), "local/add", number(1),
            OPTIONS.timeoutNs(20_000_000))).reason());
        busy.forEach(it -> it.cancel(true));
        compute.submit(JobTarget.chunk(cid), "local/add", number(2)).join();
        assertArrayEquals(number(2), store.chunks().get(cid).orElseThrow());
    }

    @Test
    void submit_jobThatRunsTooLong_hasAnUnknownOutcome_andCloseEndsJobs() throws InterruptedException {
        waiting = new CountDownLatch(1);
        while (waiting.getCount() > 0) {
            Reason late = failure(compute.submit(JobTarget.ANY, "local/wait", new byte[0],
                OPTIONS.timeoutNs(20_000_000))).reason();
            assertTrue(late == Reason.UNKNOWN_OUTCOME || late == Reason.TIMED_OUT && waiting.getCount() > 0,
                late::name);
        }
        waiting = new CountDownLatch(1);
        CompletableFuture<byte[]> future = compute.submit(JobTarget.ANY, "local/wait", new byte[0]);
        waiting.await();
        store.close();
        assertEquals(Reason.CLOSED, failure(future).reason());
        assertEquals(Reason.CLOSED, failure(compute.submit(JobTarget.ANY, "local/wait", new byte[0])).reason());
    }

    // ---- groups ----

    @Test
    void step_exchangesMessages_andReducesNumbers() {
        try (ComputeGroup group = compute.group(GroupOptions.DEFAULT.workers(5))) {
            long[] first = group.step("local/exchange", new byte[0], Reduction.SUM).reduced();
            assertArrayEquals(new long[] {0, 5, 0}, first);
            long[] second = group.step("local/exchange", new byte[0], Reduction.SUM).reduced();
            assertArrayEquals(new long[] {100 * 25, 10, 5 * 3}, second);
            long[] third = group.step("local/exchange", new byte[0], Reduction.MAX).reduced();
            assertArrayEquals(new long[] {100 * 5 * 2, 3, 3}, third);
            assertEquals(5, group.step("local/exchange", new byte[0], Reduction.GATHER).results().size());
            assertEquals(5, group.progress().workersDone());
        }
    }

    @Test
    void step_parts_areAllChunks() {
        for (int i = 1; i < 1_000; i++) {
            store.create(new byte[i % 64]);
        }
        try (ComputeGroup group = compute.group(GroupOptions.DEFAULT.workers(3))) {
            assertEquals(1_000, group.step("local/part", new byte[0], Reduction.SUM).number());
        }
    }

    @Test
    void step_withAWorkerThatFails_failsAtOnce_andTheGroupIsOver() {
        ComputeGroup group = compute.group(GroupOptions.DEFAULT.workers(2));
        JobException failure = assertThrows(JobException.class, () -> group.step("local/fails", new byte[0],
            Reduction.GATHER));
        assertEquals(Reason.FAILED, failure.reason());
        assertThrows(IllegalStateException.class, () -> group.step("local/part", new byte[0], Reduction.SUM));
        ComputeGroup full = compute.group(GroupOptions.DEFAULT.workers(2).inboxBytesMax(1_000));
        failure = assertThrows(JobException.class, () -> full.step("local/exchange", new byte[0], Reduction.SUM));
        assertTrue(failure.getMessage().contains("1000 bytes of messages"), failure::getMessage);
    }

    @Test
    void run_script_returnsItsValues() {
        try (ComputeGroup group = compute.group(GroupOptions.DEFAULT.workers(2))) {
            Map<String, Object> values = group.run(TaskScript.parse("""
                {"name": "rounds", "parameters": {"most": 9}, "steps": [
                  {"set": "sum", "to": 0},
                  {"while": {"left": "sum", "is": "<", "right": 800}, "atMost": "most", "steps": [
                    {"task": "local/exchange", "reduce": "SUM", "into": "sum"}]}]}
                """), Map.of());
            assertEquals(800L, values.get("sum"));
            assertEquals(3, group.progress().step());
        }
    }
}
