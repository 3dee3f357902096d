package io.teff.cluster.job;

import io.teff.engine.ChunkJob;
import io.teff.engine.GroupTask;
import io.teff.engine.JobContext;
import io.teff.engine.TaskContext;

/** Adds jobs and tasks of a test to those of this process. */
public final class TestJobs {
    private TestJobs() {}

    /** The code of a job. */
    @FunctionalInterface
    public interface Job {
        /** Runs the job. */
        byte[] run(JobContext job) throws Exception;
    }

    /** The code of a task. */
    @FunctionalInterface
    public interface Task {
        /** Runs the task. */
        byte[] run(TaskContext task) throws Exception;
    }

    /** Adds a job. */
    public static void job(String name, Job body) {
        JobClasses.jobs().add(new ChunkJob() {
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

    /** Adds a task. */
    public static void task(String name, Task body) {
        JobClasses.tasks().add(new GroupTask() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public byte[] run(TaskContext task) throws Exception {
                return body.run(task);
            }
        });
    }
}
