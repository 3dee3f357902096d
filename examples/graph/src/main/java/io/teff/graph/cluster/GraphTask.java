package io.teff.graph.cluster;

import io.teff.engine.GroupTask;
import io.teff.engine.TaskContext;

/** The work of a worker on the parts of a graph, as compute groups find it. */
public final class GraphTask implements GroupTask {
    /** Name of the task. */
    public static final String NAME = "io.teff.graph/parts/1";

    /** Nearly always another number in another process. */
    private static final long PROCESS = ProcessHandle.current().pid() << Integer.SIZE;

    /** For the service loader. */
    public GraphTask() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] run(TaskContext task) {
        StepPlan plan = StepPlan.read(task.argument());
        return switch (plan.work()) {
            case PLACE -> StepRow.of(task.zone(), System.identityHashCode(task.store()) ^ PROCESS,
                Runtime.getRuntime().availableProcessors()).write();
            case BUILD -> build(task, plan).write();
            case OPEN, SUPERSTEP, WRITE, TRIANGLES ->
                task.kept(WorkerMemory::new).run(task, plan).write();
        };
    }

    private static StepRow build(TaskContext task, StepPlan plan) {
        long arcs = 0;
        for (int part = 0; part < plan.workers().length; part++) {
            if (plan.workers()[part] == task.worker()) {
                arcs += new PartBuild(ZoneChunks.of(task), plan.roots()[part], part, plan.partition(), plan.flags())
                    .build();
            }
        }
        return StepRow.of(arcs);
    }
}
