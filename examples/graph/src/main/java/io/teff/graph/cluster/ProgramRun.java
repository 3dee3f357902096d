package io.teff.graph.cluster;

import io.teff.engine.TaskContext;
import io.teff.graph.algorithms.program.Aggregates;
import io.teff.graph.algorithms.program.Ghosts;
import io.teff.graph.algorithms.program.Incoming;
import io.teff.graph.algorithms.program.Outgoing;
import io.teff.graph.algorithms.program.PartRun;
import io.teff.graph.algorithms.program.VertexProgram;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A run of a program at one worker: the states of its parts between two supersteps. For one thread at a time. */
final class ProgramRun {
    private final long run;
    private final VertexProgram program;
    private final PartRun[] parts;
    private final int[] numbers;
    private final Outgoing outgoing;
    private final Ghosts ghosts;
    private final Incoming incoming;
    /** The superstep that follows. */
    private int next;

    private ProgramRun(StepPlan plan, VertexProgram program, FrozenPart[] frozen) {
        this.program = program;
        run = plan.run();
        outgoing = new Outgoing(program, plan.partition());
        ghosts = new Ghosts(program, plan.partition());
        parts = new PartRun[frozen.length];
        numbers = new int[frozen.length];
        @Nullable PartRun[] byNumber = new PartRun[plan.partition().parts()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new PartRun(program, plan.partition(), frozen[i], outgoing, ghosts,
                (plan.flags() & PartLayout.DIRECTED) == 0);
            numbers[i] = frozen[i].part();
            byNumber[numbers[i]] = parts[i];
        }
        incoming = new Incoming(program, byNumber, ghosts);
    }

    /** Begins a run, or continues with the saved state of the superstep before; null if this state is not there. */
    static @Nullable ProgramRun at(TaskContext task, StepPlan plan, VertexProgram program, FrozenPart[] frozen) {
        ProgramRun made = new ProgramRun(plan, program, frozen);
        made.next = plan.step();
        for (int i = 0; i < made.parts.length; i++) {
            if (plan.step() == 0) {
                made.parts[i].begin();
            } else if (!made.restore(task, plan, i)) {
                return null;
            }
        }
        return made;
    }

    private boolean restore(TaskContext task, StepPlan plan, int i) {
        byte[] states = parts[i].states();
        byte[] halted = parts[i].halted();
        byte[] saved = ColumnChunks.read(ZoneChunks.of(task), plan.savedAt(plan.step() - 1)[numbers[i]], run,
            plan.step() - 1L, states.length + halted.length);
        if (saved == null) {
            return false;
        }
        System.arraycopy(saved, 0, states, 0, states.length);
        System.arraycopy(saved, states.length, halted, 0, halted.length);
        return true;
    }

    boolean isAt(StepPlan plan) {
        return run == plan.run() && next == plan.step() && plan.step() > 0;
    }

    StepRow superstep(TaskContext task, StepPlan plan) {
        for (PartRun part : parts) {
            part.beginMessages();
        }
        ghosts.clear();
        if (plan.step() > 0) {                                  // else they are those of an earlier run
            if (!program.combines()) {
                task.receive((_, batch) -> incoming.count(batch));
            }
            task.receive((_, batch) -> incoming.take(batch));
        }
        int[] receivers = Arrays.stream(plan.workers()).distinct().toArray();
        outgoing.begin((part, bundle, length) -> {
            byte[] bytes = Arrays.copyOf(bundle, length);
            if (part >= 0) {
                task.send(plan.workers()[part], bytes);
                return 1;
            }
            for (int receiver : receivers) {
                task.send(receiver, bytes);
            }
            return receivers.length;
        });
        Aggregates aggregates = new Aggregates(program.aggregates());
        long open = 0;
        for (PartRun part : parts) {
            if (task.isCancelled()) {
                break;                                          // nobody waits for the result
            }
            part.compute(plan.step(), plan.before());
            aggregates.merge(part.aggregates());
            open += part.openCount();
        }
        for (PartRun part : parts) {
            part.sendWaiting(receivers.length);
        }
        outgoing.flush();
        for (int i = 0; plan.saves() && i < parts.length; i++) {
            ColumnChunks.write(ZoneChunks.of(task), plan.savedAt(plan.step())[numbers[i]], run, plan.step(),
                parts[i].states(), parts[i].halted());
        }
        next = plan.step() + 1;
        return new StepRow(false, open, outgoing.addedCount(), outgoing.sentCount(), outgoing.sentBytes(),
            aggregates.bits());
    }

    /** Writes the states into a column. */
    StepRow write(TaskContext task, StepPlan plan) {
        for (int i = 0; i < parts.length; i++) {
            ColumnChunks.write(ZoneChunks.of(task), plan.target()[numbers[i]], run, plan.step(),
                parts[i].states());
        }
        return StepRow.of();
    }
}
