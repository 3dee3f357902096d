package io.teff.graph.cluster;

import io.teff.engine.TaskContext;
import org.jspecify.annotations.Nullable;

/** What a worker keeps from step to step: its parts, and the state of the run. For one thread at a time. */
final class WorkerMemory {
    private long graph;
    private FrozenPart[] parts = {};
    private @Nullable ProgramRun run;
    private @Nullable TriangleSteps triangles;

    StepRow run(TaskContext task, StepPlan plan) {
        if (graph != plan.graph()) {
            parts = open(task, plan);
            graph = plan.graph();
            run = null;
            triangles = null;
        }
        return switch (plan.work()) {
            case SUPERSTEP -> superstep(task, plan);
            case WRITE -> write(task, plan);
            case TRIANGLES -> triangles(task, plan).step(task, plan);
            default -> StepRow.of(arcCount());
        };
    }

    private long arcCount() {
        long arcs = 0;
        for (FrozenPart part : parts) {
            arcs += part.arcCount();
        }
        return arcs;
    }

    private static FrozenPart[] open(TaskContext task, StepPlan plan) {
        int count = 0;
        for (int worker : plan.workers()) {
            count += worker == task.worker() ? 1 : 0;
        }
        FrozenPart[] own = new FrozenPart[count];
        int next = 0;
        for (int part = 0; part < plan.workers().length; part++) {
            if (plan.workers()[part] == task.worker()) {
                own[next++] = FrozenPart.read(ZoneChunks.of(task), plan.roots()[part], part, plan.partition(),
                    (plan.flags() & PartLayout.WEIGHTED) != 0);
            }
        }
        return own;
    }

    private StepRow superstep(TaskContext task, StepPlan plan) {
        ProgramRun now = at(task, plan);
        run = null;                                             // a step that fails leaves no state behind
        if (now == null) {
            return StepRow.LOST;
        }
        StepRow row = now.superstep(task, plan);
        run = now;
        return row;
    }

    private StepRow write(TaskContext task, StepPlan plan) {
        ProgramRun now = at(task, plan);
        return now == null ? StepRow.LOST : now.write(task, plan);
    }

    /** Returns the state behind the superstep before, from memory or as it was saved; null if it is lost. */
    private @Nullable ProgramRun at(TaskContext task, StepPlan plan) {
        ProgramRun known = run;
        if (known != null && known.isAt(plan)) {
            return known;
        }
        return plan.step() == 0 || plan.saves() ? ProgramRun.at(task, plan, GraphPrograms.of(plan.program(),
            plan.settings()), parts) : null;
    }

    private TriangleSteps triangles(TaskContext task, StepPlan plan) {
        if (triangles == null) {
            triangles = new TriangleSteps(task, plan, parts);
        }
        return triangles;
    }
}
