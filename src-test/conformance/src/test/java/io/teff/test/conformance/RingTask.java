package io.teff.test.conformance;

import io.teff.engine.GroupTask;
import io.teff.engine.TaskContext;
import io.teff.engine.compute.Reduction;

/** A task that the service loader finds: passes numbers around the ring of workers, and returns those it has got. */
public final class RingTask implements GroupTask {
    static final String NAME = "conformance/ring";

    /** For the service loader. */
    public RingTask() {}

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
        long passed = task.step() == 1 ? task.worker() : sum[0];
        task.sendLong((task.worker() + 1) % task.workers(), passed);
        return Reduction.bytes(sum[0]);
    }
}
