package io.teff.test.bench.rdma;

import io.teff.test.bench.session.ProcessPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one process.
 *
 * @param kind the contender
 * @param cases the lengths of one pattern
 * @param measureMs time of each measurement, after a warm-up of the same length
 * @param loop the compiled loop in C, or null
 */
record RdmaPlan(RdmaKind kind, List<RdmaCase> cases, int measureMs, @Nullable String loop) implements ProcessPlan {
    private static final long HEAP_BYTES = 128L << 20;

    @Override
    public long heapBytes() {
        return HEAP_BYTES;
    }

    @Override
    public String logName() {
        return kind.id() + '-' + pattern().id();
    }

    private RdmaPattern pattern() {
        return cases.getFirst().pattern();
    }

    @Override
    public List<String> arguments() {
        final List<String> arguments = new ArrayList<>(List.of("rdma-session", "--kind", kind.id(), "--pattern",
            pattern().id(), "--bytes", cases.stream().map(it -> "" + it.bytes()).collect(Collectors.joining(",")),
            "--measure-ms", "" + measureMs));
        if (loop != null) {
            arguments.addAll(List.of("--loop", loop));
        }
        return arguments;
    }
}
