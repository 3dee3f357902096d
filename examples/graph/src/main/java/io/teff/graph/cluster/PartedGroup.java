package io.teff.graph.cluster;

import io.teff.engine.ChunkStore;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.OnLoss;
import io.teff.engine.compute.Reduction;
import io.teff.graph.cluster.RunOptions.OnWorkerLoss;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A compute group whose workers have the parts of a graph. For one thread, but {@code cancel} for any. */
final class PartedGroup implements AutoCloseable {
    private final ComputeGroup group;
    private final int[] workers;

    private PartedGroup(ComputeGroup group, int[] workers) {
        this.group = group;
        this.workers = workers;
    }

    private static ComputeGroup group(ChunkStore store, RunOptions options) {
        return store.compute().group(new GroupOptions(options.workers(), options.stepTimeoutNs(),
            options.onLoss() == OnWorkerLoss.RESTART_STEP ? OnLoss.RUN_AGAIN : OnLoss.FAIL, options.inboxBytesMax()));
    }

    /**
     * Returns zones for the parts of a new graph: of each node as many as it has processors, one node after the other.
     *
     * @param perNode zones of each node; 0 for as many as processors
     */
    static int[] zones(ChunkStore store, RunOptions options, int perNode) {
        try (ComputeGroup group = group(store, options.workers(0))) {
            Map<Long, Integer> taken = new HashMap<>();
            Set<Integer> zones = new LinkedHashSet<>();
            for (StepRow row : step(group, StepPlan.place())) {
                long most = perNode == 0 ? row.numbers()[2] : perNode;
                int zone = (int) row.numbers()[0];
                if (!zones.contains(zone) && taken.merge(row.numbers()[1], 1, Integer::sum) <= most) {
                    zones.add(zone);
                }
            }
            return zones.stream().mapToInt(Integer::intValue).toArray();
        }
    }

    /** Makes a group, and gives each part to a worker of its zone. */
    static PartedGroup of(ChunkStore store, int[] zones, RunOptions options) {
        ComputeGroup group = group(store, options);
        boolean isDone = false;
        try {
            Map<Integer, List<Integer>> byZone = new HashMap<>();
            List<StepRow> rows = step(group, StepPlan.place());
            for (int worker = 0; worker < rows.size(); worker++) {
                byZone.computeIfAbsent((int) rows.get(worker).numbers()[0], _ -> new ArrayList<>()).add(worker);
            }
            int[] workers = new int[zones.length];
            Map<Integer, Integer> placed = new HashMap<>();
            for (int part = 0; part < zones.length; part++) {
                List<Integer> there = byZone.get(zones[part]);
                if (there == null) {
                    throw new JobException(Reason.REFUSED, "zone " + zones[part] + " of part " + part
                        + " has no worker among " + rows.size());
                }
                int turn = placed.merge(zones[part], 1, Integer::sum) - 1;
                workers[part] = there.get(turn % there.size());
            }
            PartedGroup made = new PartedGroup(group, workers);
            isDone = true;
            return made;
        } finally {
            if (!isDone) {
                group.close();
            }
        }
    }

    /** Returns the worker of each part. */
    int[] workers() {
        return workers;
    }

    int workerCount() {
        return group.workers();
    }

    long restarts() {
        return group.progress().restarts();
    }

    /**
     * Runs a step.
     *
     * @throws JobException of the reason LOST if a worker has lost its state, and as {@link ComputeGroup#step}
     */
    List<StepRow> step(StepPlan plan) {
        List<StepRow> rows = step(group, plan);
        if (rows.stream().anyMatch(StepRow::isLost)) {
            throw new JobException(Reason.LOST, "a worker has come to another node without the state of superstep "
                + (plan.step() - 1));
        }
        return rows;
    }

    private static List<StepRow> step(ComputeGroup group, StepPlan plan) {
        return group.step(GraphTask.NAME, plan.write(), Reduction.GATHER).results().stream().map(StepRow::read)
            .toList();
    }

    @Override
    public void close() {
        group.close();
    }
}
