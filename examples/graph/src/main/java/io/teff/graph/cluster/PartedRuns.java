package io.teff.graph.cluster;

import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.graph.algorithms.program.Aggregates;
import io.teff.graph.algorithms.program.VertexProgram;
import io.teff.graph.cluster.PartedHeader.Column;
import io.teff.graph.cluster.PartedHeader.Kind;
import io.teff.graph.cluster.RunOptions.OnWorkerLoss;
import io.teff.graph.cluster.StepPlan.Work;
import io.teff.graph.work.WorkWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs vertex programs and further algorithms on a parted graph, in supersteps of a compute group. For one thread.
 *
 * <pre>{@code
 * try (PartedRuns runs = new PartedRuns(PartedGraph.open(store, "friends"), RunOptions.DEFAULT)) {
 *     ParentTree tree = PartedAlgorithms.search(runs, 0);
 * }
 * }</pre>
 *
 * <p>The workers keep their parts in memory until this object is closed, so further runs begin faster. A run with
 * {@link OnWorkerLoss#RESTART_STEP} writes the states into the zones after each superstep.
 */
public final class PartedRuns implements AutoCloseable {
    /** Most times that a run begins anew: 5. */
    public static final int RESTARTS_MAX = 5;

    private final PartedGraph graph;
    private final RunOptions options;
    private final WorkWatch watch;
    private @Nullable PartedGroup group;
    private long runs;
    private RunFigures figures = RunFigures.NONE;

    /**
     * Prepares runs without a watch.
     *
     * @param graph to compute on
     * @param options of all runs
     */
    public PartedRuns(PartedGraph graph, RunOptions options) {
        this(graph, options, WorkWatch.NONE);
    }

    /**
     * Prepares runs.
     *
     * @param graph to compute on
     * @param options of all runs
     * @param watch sees each superstep, and may cancel between two supersteps
     */
    public PartedRuns(PartedGraph graph, RunOptions options, WorkWatch watch) {
        this.graph = graph;
        this.options = options;
        this.watch = watch;
    }

    /** {@return the graph} */
    public PartedGraph graph() {
        return graph;
    }

    /** {@return what the last run has cost} */
    public RunFigures figures() {
        return figures;
    }

    /** {@return the number of workers} */
    public int workers() {
        return group().workerCount();
    }

    /** Has the workers read their parts, which the first run does else. */
    public void open() {
        restarting(() -> group().step(plan(Work.OPEN)));
    }

    /**
     * Runs a vertex program, and gathers its states.
     *
     * @param program name of a {@link ProgramFactory}
     * @param settings of the program
     * @param superstepsMax most supersteps, from 1
     * @return the states of all vertices
     * @throws JobException if a worker has failed; of the reason LOST if its node has ended, and the options say so
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the run
     */
    public PartedValues run(String program, byte[] settings, int superstepsMax) {
        Column gathered = graph.addSaved(ProgramFactory.of(program, settings).stateBytes());
        try {
            run(program, settings, superstepsMax, gathered);
            return PartedValues.read(graph.store(), graph.partition(), gathered);
        } finally {
            graph.drop(gathered.name(), Kind.SAVED);
        }
    }

    /**
     * Runs a vertex program, and writes its states into a column of the graph.
     *
     * @param program name of a {@link ProgramFactory}
     * @param settings of the program
     * @param superstepsMax most supersteps, from 1
     * @param column name of the column, which replaces an older one
     * @throws JobException if a worker has failed
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the run
     */
    public void write(String program, byte[] settings, int superstepsMax, String column) {
        run(program, settings, superstepsMax, graph.addColumn(column, ProgramFactory.of(program, settings)
            .stateBytes()));
    }

    private void run(String name, byte[] settings, int superstepsMax, Column target) {
        if (superstepsMax < 1) {
            throw new IllegalArgumentException("superstepsMax=" + superstepsMax + ", not at least 1");
        }
        VertexProgram program = ProgramFactory.of(name, settings);
        List<Column> saved = new ArrayList<>();
        try {
            while (options.onLoss() == OnWorkerLoss.RESTART_STEP && saved.size() < 2) {
                saved.add(graph.addSaved(program.stateBytes() + 1));
            }
            long[][] columns = Stream.concat(saved.stream(), Stream.of(target)).map(Column::roots)
                .toArray(long[][]::new);
            restarting(() -> {
                StepPlan last = supersteps(program, plan(Work.SUPERSTEP).withProgram(name, settings, ++runs)
                    .with(Work.SUPERSTEP, 0, columns, new Aggregates(program.aggregates()).bits()), superstepsMax);
                return group().step(last.with(Work.WRITE, last.step() + 1, columns, last.before()));
            });
        } finally {
            saved.forEach(column -> graph.drop(column.name(), Kind.SAVED));
        }
    }

    /** Runs supersteps until the program ends; returns the plan of the last. */
    private StepPlan supersteps(VertexProgram program, StepPlan first, int superstepsMax) {
        StepPlan plan = first;
        for (int superstep = 0; ; superstep++) {
            watch.check("superstep", superstep, -1);
            List<StepRow> rows = group().step(plan);
            Aggregates values = new Aggregates(program.aggregates());
            long open = 0;
            for (StepRow row : rows) {
                values.merge(row.numbers());
                open += row.openCount() + row.sentCount();
                figures = figures.plus(row);
            }
            figures = figures.plusStep();
            if (open == 0 || superstep + 1 >= superstepsMax || program.ends(superstep, values)) {
                return plan;
            }
            plan = plan.with(Work.SUPERSTEP, superstep + 1, plan.columns(), values.bits());
        }
    }

    /**
     * Counts the triangles of a graph without direction.
     *
     * @param slices number of slices; each has a part of the messages
     */
    long triangles(int slices) {
        return restarting(() -> {
            long triangles = 0;
            for (int slice = 0; slice <= slices; slice++) {
                watch.check("slice", slice, slices + 1L);
                for (StepRow row : group().step(plan(Work.TRIANGLES).withSlice(slice, slices))) {
                    triangles += row.numbers()[0];
                    figures = figures.plus(row);
                }
                figures = figures.plusStep();
            }
            return triangles;
        });
    }

    private StepPlan plan(Work work) {
        return StepPlan.of(work, graph.cid(), graph.header(), group().workers());
    }

    private PartedGroup group() {
        PartedGroup known = group;
        if (known == null) {
            known = PartedGroup.of(graph.store(), graph.zones(), options);
            group = known;
        }
        return known;
    }

    /** Runs an attempt, and again after a loss if the options say so. */
    private <T> T restarting(Supplier<T> attempt) {
        long restarts = 0;
        for (int losses = 0; ; losses++) {
            figures = RunFigures.NONE;
            PartedGroup used = null;
            try {
                used = group();
                long before = used.restarts();
                T result = attempt.get();
                figures = figures.withRestarts(restarts + used.restarts() - before);
                return result;
            } catch (JobException e) {
                restarts += 1 + (used == null ? 0 : used.restarts());
                close();
                if (!isRestarted(options, e, losses)) {
                    throw e;
                }
            }
        }
    }

    /** Runs an attempt without a group of this object, and again after a loss if the options say so. */
    static <T> T restarting(RunOptions options, Supplier<T> attempt) {
        for (int losses = 0; ; losses++) {
            try {
                return attempt.get();
            } catch (JobException e) {
                if (!isRestarted(options, e, losses)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isRestarted(RunOptions options, JobException failure, int losses) {
        return failure.reason() == Reason.LOST && options.onLoss() != OnWorkerLoss.FAIL && losses < RESTARTS_MAX;
    }

    /** Ends the group of workers. Idempotent; a further run makes another group. */
    @Override
    public void close() {
        PartedGroup known = group;
        group = null;
        if (known != null) {
            known.close();
        }
    }
}
