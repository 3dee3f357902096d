package io.teff.cluster.console;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.Figure.Kind;
import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.ZoneStatus;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a cluster as meters of Micrometer, in a format of Prometheus. Meters are made anew for each look, so
 * that no meter of an ended node stays.
 */
final class Meters {
    /** The type of the text if the asking program knows OpenMetrics. */
    static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    /** The type of the text else. */
    static final String PLAIN = "text/plain; version=0.0.4; charset=utf-8";

    /** Figures inside of the histogram of operations. */
    private static final Set<Figure> HISTOGRAM = Set.of(Figure.OPERATIONS_TIMED, Figure.OPERATIONS_TIME,
        Figure.OPERATIONS_100US, Figure.OPERATIONS_1MS, Figure.OPERATIONS_10MS, Figure.OPERATIONS_100MS,
        Figure.OPERATIONS_1S);
    private static final List<Figure> BUCKETS = List.of(Figure.OPERATIONS_100US, Figure.OPERATIONS_1MS,
        Figure.OPERATIONS_10MS, Figure.OPERATIONS_100MS, Figure.OPERATIONS_1S, Figure.OPERATIONS_TIMED);
    private static final List<Double> BOUNDS = List.of(1e-4, 1e-3, 1e-2, 1e-1, 1.0, Double.POSITIVE_INFINITY);
    private static final double NS_PER_S = 1e9;
    private static final double MS_PER_S = 1e3;
    private static final double THOUSAND = 1e3;
    private static final String SECONDS = "seconds";
    private static final String NODE = "node";
    private static final String ROLE = "role";

    private Meters() {}

    /** Returns whether a program that asks knows OpenMetrics. */
    static boolean isOpenMetrics(@Nullable String accept) {
        return accept != null && accept.contains("application/openmetrics-text");
    }

    /** Returns the text of all meters. */
    static String text(ClusterLook look, boolean isOpenMetrics) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try {
            addCluster(look, registry);
            for (Member node : look.status().nodes()) {
                ClusterFigures.Answer answer = look.figures().node(node.life().nid());
                if (answer != null) {
                    addNode(label(look, node), node, answer, registry);
                }
            }
            registry.getPrometheusRegistry().register((Collector) () -> operations(look));
            return registry.scrape(isOpenMetrics ? OPEN_METRICS : PLAIN);
        } finally {
            Reference.reachabilityFence(look);                  // counters keep figures by weak references
            registry.close();
        }
    }

    // ---- nodes ----

    private static void addNode(String label, Member node, ClusterFigures.Answer answer, MeterRegistry registry) {
        Tags tags = Tags.of(NODE, label, ROLE, node.role().text());
        for (Figure figure : Figure.values()) {
            if (answer.figures().has(figure) && !HISTOGRAM.contains(figure)) {
                add(figure, answer.figures(), tags, registry);
            }
        }
        gauge("teff.clock.offset", answer.clockOffsetMs() / MS_PER_S, SECONDS, "wall clock of the node less the"
            + " console's", tags, registry);
    }

    /** Returns a name that no other node has. */
    private static String label(ClusterLook look, Member node) {
        return look.name(node) + "-" + node.life().nid();
    }

    private static void add(Figure figure, NodeFigures figures, Tags tags, MeterRegistry registry) {
        String name = "teff." + figure.text();
        if (figure.kind() == Kind.COUNTER) {
            FunctionCounter.builder(name, figures, all -> value(figure, all)).tags(tags).baseUnit(unit(figure))
                .description(figure.description()).register(registry);
        } else {
            gauge(name, value(figure, figures), unit(figure), figure.description(), tags, registry);
        }
    }

    private static void gauge(String name, double value, @Nullable String unit, String description, Tags tags,
                              MeterRegistry registry) {
        Gauge.builder(name, () -> value).tags(tags).baseUnit(unit).description(description).register(registry);
    }

    /** Returns a value in the base unit: seconds, bytes, or a part of one. */
    private static double value(Figure figure, NodeFigures figures) {
        double value = figures.get(figure);
        return switch (figure.unit()) {
            case NANOSECONDS -> value / NS_PER_S;
            case MILLISECONDS -> value / MS_PER_S;
            case THOUSANDTHS -> value / THOUSAND;
            default -> value;
        };
    }

    private static @Nullable String unit(Figure figure) {
        return switch (figure.unit()) {
            case NANOSECONDS, MILLISECONDS, SECONDS -> SECONDS;
            case BYTES -> "bytes";
            case THOUSANDTHS -> "ratio";
            default -> null;
        };
    }

    /** Returns the times of operations as a histogram: Micrometer has no meter for counts of another place. */
    private static MetricSnapshot operations(ClusterLook look) {
        HistogramSnapshot.Builder all = HistogramSnapshot.builder().name("teff_operation_seconds")
            .help("time of one of 64 operations, from the request to the answer");
        for (Member node : look.status().nodes()) {
            ClusterFigures.Answer answer = look.figures().node(node.life().nid());
            if (answer != null && answer.figures().has(Figure.OPERATIONS_TIMED)) {
                all.dataPoint(HistogramDataPointSnapshot.builder()
                    .labels(Labels.of(NODE, label(look, node), ROLE, node.role().text()))
                    .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, counts(answer.figures())))
                    .sum(answer.figures().get(Figure.OPERATIONS_TIME) / NS_PER_S).build());
            }
        }
        return all.build();
    }

    /** Returns the counts of the single buckets; figures count all operations up to a bound. */
    private static List<Long> counts(NodeFigures figures) {
        long[] counts = BUCKETS.stream().mapToLong(figures::get).toArray();
        for (int i = counts.length - 1; i > 0; i--) {
            counts[i] = Math.max(counts[i] - counts[i - 1], 0);
        }
        return Arrays.stream(counts).boxed().toList();
    }

    // ---- the cluster ----

    private static void addCluster(ClusterLook look, MeterRegistry registry) {
        gauge("teff.cluster.answering", look.status().isAnswering() ? 1 : 0, null, "1 if a superpeer answers, else 0",
            Tags.empty(), registry);
        for (NodeRole role : NodeRole.values()) {
            count(look.status().nodes(), role, true, registry);
            count(look.status().nodes(), role, false, registry);
        }
        Map<ZoneStatus.State, Long> states = look.status().zones().stream()
            .collect(Collectors.groupingBy(ZoneStatus::state, Collectors.counting()));
        for (ZoneStatus.State state : ZoneStatus.State.values()) {
            gauge("teff.cluster.zones", states.getOrDefault(state, 0L), null, "zones by state",
                Tags.of("state", state.name().toLowerCase(Locale.ROOT)), registry);
        }
        Map<Integer, Long> backups = look.status().zones().stream().filter(zone -> zone.state().isServed())
            .collect(Collectors.groupingBy(zone -> zone.backups().size(), TreeMap::new, Collectors.counting()));
        backups.forEach((count, zones) -> gauge("teff.cluster.zones.served", zones, null,
            "served zones by number of backups", Tags.of("backups", String.valueOf(count)), registry));
        Map<Alert.Kind, Long> alerts = Alerts.of(look).stream()
            .collect(Collectors.groupingBy(Alert::kind, Collectors.counting()));
        for (Alert.Kind kind : Alert.Kind.values()) {
            gauge("teff.cluster.alerts", alerts.getOrDefault(kind, 0L), null, "alerts of the console by kind",
                Tags.of("kind", kind.text()), registry);
        }
    }

    private static void count(Collection<Member> nodes, NodeRole role, boolean isAlive, MeterRegistry registry) {
        long count = nodes.stream().filter(node -> node.role() == role && node.isAlive() == isAlive).count();
        gauge("teff.cluster.nodes", count, null, "nodes by role, and whether their lives count",
            Tags.of(ROLE, role.text(), "alive", String.valueOf(isAlive)), registry);
    }
}
