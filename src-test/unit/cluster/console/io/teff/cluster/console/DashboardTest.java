package io.teff.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.kit.Project;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Goal: every query of the example dashboard reads series, labels and values that the endpoint has. */
final class DashboardTest {
    private static final Pattern SERIES = Pattern.compile("(teff_[a-z0-9_]+)(?:\\{([^}]*)\\})?(\\[[^\\]]*\\])?");
    private static final Pattern MATCHER = Pattern.compile("([a-z]+)(=~?)\"([^\"]*)\"");
    private static final Pattern BY = Pattern.compile("by \\(([a-z, ]+)\\)");
    private static final Set<String> WORDS = Set.of("sum", "min", "max", "rate", "histogram_quantile", "by",
        "label_values", "node", "role", "le", "kind");

    private static OpenMetricsText metrics;
    private static Map<String, Object> dashboard;

    @BeforeAll
    static void read() throws Exception {
        FakeCluster cluster = new FakeCluster();
        metrics = OpenMetricsText.read(Meters.text(new ClusterLook(0, cluster.status(), cluster.figures(),
            Map.of()), true));
        dashboard = JSON.std.mapFrom(Files.readString(Project.file("docs/dashboards/teff-cluster.json")));
    }

    private static List<String> queries() {
        List<String> queries = new ArrayList<>();
        for (Object panel : (List<?>) dashboard.get("panels")) {
            for (Object target : (List<?>) ((Map<?, ?>) panel).get("targets")) {
                queries.add((String) ((Map<?, ?>) target).get("expr"));
            }
        }
        return queries;
    }

    private static Set<String> labels(String name) {
        return metrics.samples.stream().filter(sample -> sample.name().equals(name))
            .flatMap(sample -> sample.labels().keySet().stream()).collect(Collectors.toSet());
    }

    /** Checks a query; throws if the endpoint cannot answer the query. */
    private static void check(String query) {
        Matcher series = SERIES.matcher(query);
        int count = 0;
        while (series.find()) {
            count++;
            String name = series.group(1);
            List<OpenMetricsText.Sample> samples = metrics.samples.stream().filter(each -> each.name().equals(name))
                .toList();
            assertFalse(samples.isEmpty(), () -> name + " is no series: " + query);
            boolean isCounter = !metrics.types.get(samples.getFirst().family()).equals("gauge");
            assertEquals(isCounter, series.group(3) != null, () -> name + ": a rate belongs to a counter: " + query);
            checkMatchers(series.group(2), name, query);
            Matcher by = BY.matcher(query);
            while (by.find()) {
                for (String label : by.group(1).split(", ")) {
                    assertTrue(labels(name).contains(label), () -> name + " has no label " + label + ": " + query);
                }
            }
        }
        assertTrue(count > 0, query);
        String rest = SERIES.matcher(query).replaceAll("");
        Matcher words = Pattern.compile("[a-z_]{2,}").matcher(rest);
        while (words.find()) {
            assertTrue(WORDS.contains(words.group()), () -> "an unknown word: " + query);
        }
        assertEquals(rest.chars().filter(each -> each == '(').count(),
            rest.chars().filter(each -> each == ')').count(), query);
    }

    private static void checkMatchers(String matchers, String name, String query) {
        if (matchers == null) {
            return;
        }
        Matcher matcher = MATCHER.matcher(matchers);
        assertTrue(matcher.find(), query);
        do {
            String label = matcher.group(1);
            String value = matcher.group(3);
            assertTrue(labels(name).contains(label), () -> name + " has no label " + label + ": " + query);
            assertTrue(value.equals("$node") || metrics.samples.stream().anyMatch(each -> each.name().equals(name)
                && value.equals(each.labels().get(label))), () -> "no series has this value: " + query);
        } while (matcher.find());
    }

    @Test
    void queries_readWhatTheEndpointHas() {
        List<String> queries = queries();
        assertTrue(queries.size() >= 20, "queries: " + queries.size());
        queries.forEach(DashboardTest::check);
    }

    @Test
    void variables_areDefined_andReadWhatTheEndpointHas() {
        List<?> variables = (List<?>) ((Map<?, ?>) dashboard.get("templating")).get("list");
        assertEquals(List.of("datasource", "node"), variables.stream().map(each -> ((Map<?, ?>) each).get("name"))
            .toList());
        Object query = ((Map<?, ?>) ((Map<?, ?>) variables.get(1)).get("query")).get("query");
        assertNotNull(query);
        check(String.valueOf(query));
    }

    @Test
    void panels_haveTitlesUnitsAndPlaces() {
        Set<Object> places = new HashSet<>();
        for (Object each : (List<?>) dashboard.get("panels")) {
            Map<?, ?> panel = (Map<?, ?>) each;
            assertFalse(String.valueOf(panel.get("title")).isBlank());
            assertTrue(places.add(panel.get("gridPos")), () -> "two panels in one place: " + panel.get("title"));
        }
    }
}
