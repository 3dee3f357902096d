package io.teff.test.bench.grid;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A node of Hazelcast or Ignite, until its input ends. */
@Command(name = "grid-node", hidden = true, description = "Runs a node of another system; started by the comparison.")
public final class GridNode implements Callable<Integer> {
    static final String READY = "the node is ready";

    @Option(names = "--number", required = true)
    private int number;
    @Mixin
    private GridOptions options = new GridOptions();

    /** Made by the library of the command line. */
    public GridNode() {}

    @Override
    public Integer call() throws Exception {
        GridPlan plan = options.plan(false);
        try (AutoCloseable _ = plan.kind().isHazelcast()
            ? HazelcastGrid.member(plan.port(), number, plan.nodes(), plan.backups())
            : IgniteGrid.member(plan.port(), number, plan.nodes(), plan.backups(), (long) plan.memoryMiB() << 20,
                plan.folder())) {
            System.out.println(READY);
            while (System.in.read() >= 0) {
                continue;                                       // nobody writes
            }
        }
        return 0;
    }
}
