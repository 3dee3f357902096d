package io.teff.cluster.job;

import io.teff.engine.ChunkJob;
import io.teff.engine.GroupTask;
import io.teff.engine.work.Registered;
import java.util.ServiceLoader;

/** The jobs and tasks on the class path of this process, found at the first use. */
final class JobClasses {
    private static final Registered<ChunkJob> JOBS = new Registered<>(ChunkJob::name)
        .addAll(ServiceLoader.load(ChunkJob.class, ChunkJob.class.getClassLoader()));
    private static final Registered<GroupTask> TASKS = new Registered<>(GroupTask::name)
        .addAll(ServiceLoader.load(GroupTask.class, GroupTask.class.getClassLoader()));

    private JobClasses() {}

    static Registered<ChunkJob> jobs() {
        return JOBS;
    }

    static Registered<GroupTask> tasks() {
        return TASKS;
    }
}
