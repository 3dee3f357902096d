package io.teff.test.cluster.kills;

import io.teff.engine.GroupTask;
import io.teff.engine.TaskContext;
import io.teff.engine.compute.Reduction;
import java.nio.charset.StandardCharsets;

/**
 * Sends the number of the worker times the number of the step to all workers, and returns the sum of what has come, and
 * 1. Stops at a gate behind the messages, if the argument names a gate. Nodes find the class.
 */
public final class HeldTask implements GroupTask {
    static final String NAME = "kills/held-exchange";
    /** So many zeros follow that batches leave in front of the gate. */
    private static final int PADDING = 10_000;

    /** For the service loader. */
    public HeldTask() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] run(TaskContext task) {
        long[] sum = new long[1];
        task.receive((_, batch) -> {
            while (batch.hasRemaining()) {
                sum[0] += batch.getLong();
            }
        });
        for (int to = 0; to < task.workers(); to++) {
            task.sendLong(to, task.worker() * task.step());
        }
        byte[] argument = task.argument();
        if (argument.length > 0) {
            for (int i = 0; i < PADDING; i++) {
                for (int to = 0; to < task.workers(); to++) {
                    task.sendLong(to, 0);
                }
            }
            FileGate.of(new String(argument, StandardCharsets.UTF_8)).pass();
        }
        return Reduction.bytes(sum[0], 1);
    }
}
