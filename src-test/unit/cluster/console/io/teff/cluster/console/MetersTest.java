package io.teff.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.Figure;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: what Prometheus reads is OpenMetrics to the letter, and has each figure of each node once. */
final class MetersTest {
    private static OpenMetricsText scrape() throws Exception {
        FakeCluster cluster = new FakeCluster();
        try (Console console = cluster.console()) {
            HttpResponse<String> answer = FakeCluster.get(console, "/metrics", "Accept",
                "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
            assertEquals(Meters.OPEN_METRICS, answer.headers().firstValue("Content-Type").orElseThrow());
            return OpenMetricsText.read(answer.body());
        }
    }

    private static double value(OpenMetricsText text, String name, Map<String, String> labels) {
        List<OpenMetricsText.Sample> found = text.samples.stream().filter(sample -> sample.name().equals(name)
            && sample.labels().entrySet().containsAll(labels.entrySet())).toList();
        assertEquals(1, found.size(), () -> name + labels + ": " + found);
        return found.getFirst().value();
    }

    @Test
    void metrics_areOpenMetrics_withEachFigureOfEachNode() throws Exception {
        OpenMetricsText text = scrape();
        Map<String, String> one = Map.of("node", "peer-1-17", "role", "peer");
        assertEquals(10, value(text, "teff_process_cpu_seconds_total", one) * 1e6, 1e-6);
        assertEquals(500, value(text, "teff_disk_free_bytes", one));
        assertEquals(0.25, value(text, "teff_machine_load_ratio", one));
        assertEquals(-0.003, value(text, "teff_clock_offset_seconds", one));
        assertEquals(1, value(text, "teff_cluster_zones", Map.of("state", "full")));
        long families = text.types.keySet().stream().filter(name -> !name.startsWith("teff_cluster_")).count();
        long figures = List.of(Figure.values()).stream().filter(each -> each != Figure.CERTIFICATE_LEFT
            && !each.text().startsWith("operations.")).count();
        assertEquals(figures + 2, families, () -> "and the clock, and the histogram: " + text.types.keySet());
    }

    @Test
    void operations_areAHistogram_ofTheirTimes() throws Exception {
        OpenMetricsText text = scrape();
        Map<String, String> one = Map.of("node", "peer-1-17");
        assertEquals(10, value(text, "teff_operation_seconds_count", one));
        assertEquals(1.234, value(text, "teff_operation_seconds_sum", one));
        assertEquals(4, value(text, "teff_operation_seconds_bucket", Map.of("node", "peer-1-17", "le", "1.0E-4")));
        assertEquals(9, value(text, "teff_operation_seconds_bucket", Map.of("node", "peer-1-17", "le", "0.1")));
    }

    @Test
    void metrics_withoutOpenMetrics_areTheOldText() throws Exception {
        FakeCluster cluster = new FakeCluster();
        try (Console console = cluster.console()) {
            HttpResponse<String> answer = FakeCluster.get(console, "/metrics");
            assertEquals(Meters.PLAIN, answer.headers().firstValue("Content-Type").orElseThrow());
            assertTrue(answer.body().contains("teff_store_chunks{node=\"peer-1-17\",role=\"peer\"} "), answer.body());
        }
    }

    /** The reader refuses what is no OpenMetrics. */
    @ParameterizedTest
    @ValueSource(strings = {
        "# TYPE a gauge\na 1\n",
        "# TYPE a counter\na 1\n# EOF\n",
        "# TYPE a_seconds gauge\n# UNIT a_seconds bytes\na_seconds 1\n# EOF\n",
        "# TYPE a gauge\na{x=\"1\"} 1\na{x=\"1\"} 2\n# EOF\n",
        "# TYPE a gauge\na{x=\"1\",} 1\n# EOF\n",
        "# TYPE a gauge\na{x=\"\\q\"} 1\n# EOF\n",
        "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\na 2\n# EOF\n",
        "# TYPE a gauge\na one\n# EOF\n",
        "# TYPE a gauge\n\na 1\n# EOF\n",
        "# TYPE a counter\na_total -1\n# EOF\n",
        "# TYPE a histogram\na_bucket{le=\"1.0\"} 3\na_bucket{le=\"+Inf\"} 2\na_count 2\na_sum 1\n# EOF\n",
        "# TYPE a histogram\na_bucket{le=\"1.0\"} 3\na_count 3\na_sum 1\n# EOF\n",
        "b 1\n# EOF\n"})
    void reader_wrongText_isRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> OpenMetricsText.read(text));
    }
}
