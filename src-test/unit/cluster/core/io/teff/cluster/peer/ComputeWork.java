package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.job.TestJobs;
import io.teff.engine.TaskContext;
import io.teff.engine.compute.Reduction;
import io.teff.test.kit.Threads;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Jobs and tasks of the tests of compute on peers. */
final class ComputeWork {
    /** Adds the argument to the number in the chunk, and returns the sum. */
    static final String ADD = "test/add";
    /** Puts, and then throws. */
    static final String FAIL = "test/fail";
    /** Counts down, and waits until the job is cancelled. */
    static final String WAIT = "test/wait";
    /** Counts the chunks of its zone. */
    static final String COUNT = "test/count";
    /** Adds as {@link #ADD}, and waits behind the addition, before the changes are made. */
    static final String ADD_AND_WAIT = "test/add-and-wait";
    /** Sends the number of the worker times the step to all workers; returns the sum of what was received. */
    static final String EXCHANGE = "test/exchange";
    /** As exchange, and one worker waits in the middle. */
    static final String EXCHANGE_AND_WAIT = "test/exchange-and-wait";
    /** Sends many numbers to each worker. */
    static final String FLOOD = "test/flood";
    /** Fails at worker 1; the others wait. */
    static final String TASK_FAILS = "test/task-fails";

    static final int FLOOD_COUNT = 20_000;
    private static final int PADDING = 10_000;

    static volatile CountDownLatch begun = new CountDownLatch(0);
    static volatile CountDownLatch mayEnd = new CountDownLatch(0);
    static final AtomicBoolean HAS_SEEN_CANCEL = new AtomicBoolean();
    static final AtomicInteger RUNS = new AtomicInteger();
    /** The zone in which a worker waits. */
    static volatile int waitingZone;
    private static final Map<String, Boolean> ADDED = new ConcurrentHashMap<>();

    private ComputeWork() {}

    static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    /** Adds all jobs and tasks, once in this process. */
    static void register() {
        if (ADDED.putIfAbsent("added", true) == null) {
            registerJobs();
            registerTasks();
        }
    }

    private static void registerJobs() {
        TestJobs.job(ADD, job -> {
            RUNS.incrementAndGet();
            byte[] sum = number(number(job.get(job.cid())) + number(job.argument()));
            job.put(job.cid(), sum);
            return sum;
        });
        TestJobs.job(ADD_AND_WAIT, job -> {
            byte[] sum = number(number(job.get(job.cid())) + number(job.argument()));
            job.put(job.cid(), sum);
            begun.countDown();
            mayEnd.await();
            return sum;
        });
        TestJobs.job(FAIL, job -> {
            job.put(job.cid(), new byte[] {1});
            throw new IllegalStateException("as wished");
        });
        TestJobs.job(WAIT, job -> {
            begun.countDown();
            Threads.await("a cancel", job::isCancelled);
            HAS_SEEN_CANCEL.set(true);
            return new byte[0];
        });
        TestJobs.job(COUNT, job -> {
            long[] count = new long[1];
            job.forEachCid(_ -> count[0]++);
            return number(count[0]);
        });
    }

    /** Receives a sum, and sends the next numbers. */
    private static long exchange(TaskContext task) {
        long[] sum = new long[1];
        task.receive((_, batch) -> {
            while (batch.hasRemaining()) {
                sum[0] += batch.getLong();
            }
        });
        for (int to = 0; to < task.workers(); to++) {
            task.sendLong(to, task.worker() * task.step());
        }
        return sum[0];
    }

    private static void registerTasks() {
        TestJobs.task(EXCHANGE, task -> Reduction.bytes(exchange(task), 1));
        TestJobs.task(EXCHANGE_AND_WAIT, task -> {
            long sum = exchange(task);
            for (int i = 0; i < PADDING; i++) {                 // so that a batch leaves before the wait
                for (int to = 0; to < task.workers(); to++) {
                    task.sendLong(to, 0);
                }
            }
            if (task.zone() == waitingZone && task.attempt() == 1) {
                begun.countDown();
                Threads.await("the end of the node", task::isCancelled);
            }
            return Reduction.bytes(sum, 1);
        });
        TestJobs.task(FLOOD, task -> {
            long[] count = new long[1];
            task.receive((from, batch) -> {
                while (batch.hasRemaining()) {
                    assertEquals(from, batch.getLong() >>> 32);
                    count[0]++;
                }
            });
            for (int i = 0; i < FLOOD_COUNT; i++) {
                for (int to = 0; to < task.workers(); to++) {
                    task.sendLong(to, (long) task.worker() << 32 | i);
                }
            }
            return Reduction.bytes(count[0]);
        });
        TestJobs.task(TASK_FAILS, task -> {
            if (task.worker() == 1) {
                throw new IllegalStateException("worker 1");
            }
            Threads.await("the end of the step", task::isCancelled);
            return new byte[0];
        });
    }
}
