package io.teff.test.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the comparison of a cluster's client with plain requests. */
@FullTier("A cluster of processes, one of the tests with runs, which take most of the 379 s of this lane. "
    + "TableReportTest has the tables of all benchmarks.")
@Tag("processes")
final class ClusterTrialTest {
    /** Peers, a superpeer and a client over each transport; UCX where it is installed. */
    @ParameterizedTest
    @EnumSource(names = {"TCP", "UCX"})
    void run_shortly_hasFiguresOfEachOperation(ClusterKind kind) throws Exception {
        assumeTrue(kind == ClusterKind.TCP || Form.isLong(), "UCX is measured in the long form");
        assumeTrue(kind == ClusterKind.TCP || hasUcx(), "UCX is not installed");
        Map<String, Object> figures = new ClusterTrial(new ClusterPlan(kind, 2, 64, 20)).run();
        for (ClusterOp op : ClusterOp.values()) {
            for (String name : List.of("p50 us", "p99 us", "K/s")) {
                Object value = figures.get(ClusterPlan.prefix(op, 2) + name);
                assertTrue(value instanceof Double number && number > 0, op + " " + name + " " + value);
            }
        }
    }

    private static boolean hasUcx() {
        try {
            UcxContext.open(UcxConfig.builder(UcxFeature.TAG).build()).close();
            return true;
        } catch (RdmaUnavailableException e) {
            System.out.println("cluster over ucx: skipped, " + e.getMessage());
            return false;
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
