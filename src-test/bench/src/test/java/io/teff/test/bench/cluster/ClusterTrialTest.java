package io.teff.test.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of the comparison of a cluster's client with plain requests. */
final class ClusterTrialTest {
    @Test
    void run_shortly_hasFiguresOfEachOperation() throws Exception {
        Map<String, Object> figures = new ClusterTrial(new ClusterPlan(ClusterKind.TCP, 2, 64, 20)).run();
        for (ClusterOp op : ClusterOp.values()) {
            for (String name : List.of("p50 us", "p99 us", "K/s")) {
                Object value = figures.get(ClusterPlan.prefix(op, 2) + name);
                assertTrue(value instanceof Double number && number > 0, op + " " + name + " " + value);
            }
        }
    }

    @Test
    void bars_compareWithPlainRequests() {
        ClusterFigures figures = new ClusterFigures(List.of(1), 64, 1);
        figures.add(ClusterKind.TCP, new Outcome(Map.of(ClusterPlan.prefix(ClusterOp.PING, 1) + "p50 us", 10.0,
            ClusterPlan.prefix(ClusterOp.GET, 1) + "p50 us", 20.0,
            ClusterPlan.prefix(ClusterOp.PUT_BACKED, 1) + "p50 us", 50.0,
            ClusterPlan.prefix(ClusterOp.BATCH_GET, 1) + "K/s", 1500.0), null));
        assertEquals("[true, false, true]", figures.bars().stream().map(bar -> String.valueOf(bar.isMet()))
            .collect(Collectors.joining(", ", "[", "]")));
        assertTrue(figures.table(Sample.MACHINE).contains("2.5 x p50 of plain / p50 of get, tcp"),
            figures.table(Sample.MACHINE));
    }
}
