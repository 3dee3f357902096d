package io.teff.test.conformance;

import io.teff.engine.ChunkJob;
import io.teff.engine.JobContext;

/** A job that the service loader finds: adds the argument to the first byte of its chunk, and returns the sum. */
public final class AddJob implements ChunkJob {
    static final String NAME = "conformance/add";

    /** For the service loader. */
    public AddJob() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] run(JobContext job) {
        byte[] chunk = job.get(job.cid());
        if (chunk == null) {
            throw new IllegalStateException("no chunk");
        }
        chunk[0] += job.argument()[0];
        job.put(job.cid(), chunk);
        return chunk;
    }
}
