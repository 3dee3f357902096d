package io.teff.test.cluster.kills;

import io.teff.engine.ChunkJob;
import io.teff.engine.JobContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Adds a number to the number in its chunk and returns the sum; stops at a gate between the addition and the change of
 * the chunk, if the argument names a gate. Nodes find the class.
 */
public final class HeldJob implements ChunkJob {
    static final String NAME = "kills/held-add";

    /** For the service loader. */
    public HeldJob() {}

    /** The argument of a job that does not stop. */
    static byte[] argument(long added) {
        return ByteBuffer.allocate(Long.BYTES).putLong(added).array();
    }

    /** The argument of a job that stops at a gate. */
    static byte[] argument(long added, FileGate gate) {
        byte[] path = gate.file().toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + path.length).putLong(added).put(path).array();
    }

    static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] run(JobContext job) {
        byte[] argument = job.argument();
        byte[] before = job.get(job.cid());
        if (before == null) {
            throw new IllegalStateException("no chunk");
        }
        byte[] sum = argument(number(before) + number(argument));
        job.put(job.cid(), sum);
        if (argument.length > Long.BYTES) {
            FileGate.of(new String(argument, Long.BYTES, argument.length - Long.BYTES, StandardCharsets.UTF_8)).pass();
        }
        return sum;
    }
}
