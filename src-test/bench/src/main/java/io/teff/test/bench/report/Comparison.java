package io.teff.test.bench.report;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.openjdk.jmh.util.ListStatistics;

/** All figures of one number of entries and one kind of values. */
public final class Comparison {
    private final int entries;
    private final Values values;
    private final int rounds;
    private final Map<StoreKind, Map<String, List<Double>>> figures = new EnumMap<>(StoreKind.class);
    private final Map<StoreKind, String> failures = new EnumMap<>(StoreKind.class);

    /**
     * An empty comparison.
     *
     * @param entries number of entries
     * @param values their lengths
     * @param rounds number of rounds
     */
    public Comparison(int entries, Values values, int rounds) {
        this.entries = entries;
        this.values = values;
        this.rounds = rounds;
    }

    /**
     * Adds the figures of one session.
     *
     * @param kind the store
     * @param outcome how it ended
     */
    public void add(StoreKind kind, Outcome outcome) {
        Map<String, List<Double>> own = figures.computeIfAbsent(kind, ignored -> new LinkedHashMap<>());
        outcome.figures().forEach((name, value) -> own.computeIfAbsent(name, ignored -> new ArrayList<>()).add(value));
        if (outcome.failure() != null) {
            failures.put(kind, outcome.failure());
        }
    }

    /** {@return whether all sessions succeeded} */
    public boolean isComplete() {
        return failures.isEmpty();
    }

    /** {@return the stores that have figures or failed} */
    public Set<StoreKind> kinds() {
        return figures.keySet();
    }

    /** {@return what was wrong with a store, by store} */
    public Map<StoreKind, String> failures() {
        return failures;
    }

    /** {@return a title that names entries and values} */
    public String title() {
        return String.format("%,d entries of %s B, median of %d rounds", entries, values, rounds);
    }

    /** {@return a name for files} */
    public String id() {
        return entries + "x" + values;
    }

    /** {@return the names of all figures, in the order of measuring} */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        figures.values().forEach(own -> names.addAll(own.keySet()));
        return names;
    }

    /**
     * The median of a figure.
     *
     * @param kind the store
     * @param name name of the figure
     * @return the median of all rounds, or NaN
     */
    public double median(StoreKind kind, String name) {
        return percentile(kind, name, 50);
    }

    private double percentile(StoreKind kind, String name, double rank) {
        List<Double> all = figures.getOrDefault(kind, Map.of()).getOrDefault(name, List.of());
        return all.isEmpty() ? Double.NaN
            : new ListStatistics(all.stream().mapToDouble(Double::doubleValue).toArray()).getPercentile(rank);
    }

    /**
     * The spread of a figure.
     *
     * @param kind the store
     * @param name name of the figure
     * @return half of the distance from the smallest to the largest round, as a share of the median
     */
    public double spread(StoreKind kind, String name) {
        return (percentile(kind, name, 100) - percentile(kind, name, 0)) / 2 / median(kind, name);
    }

    /**
     * Writes comparisons as a JSON document.
     *
     * @param comparisons all of a run
     * @return the document
     */
    public static String json(List<Comparison> comparisons) throws IOException {
        List<Object> all = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            Map<String, Object> stores = new LinkedHashMap<>();
            comparison.figures.forEach((kind, own) -> stores.put(kind.id(), own));
            Map<String, Object> failures = new LinkedHashMap<>();
            comparison.failures.forEach((kind, failure) -> failures.put(kind.id(), failure));
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("entries", comparison.entries);
            one.put("values", comparison.values.toString());
            one.put("rounds", comparison.rounds);
            one.put("figures", stores);
            one.put("failures", failures);
            all.add(one);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("jvm", Runtime.version().toString());
        document.put("processors", Runtime.getRuntime().availableProcessors());
        document.put("comparisons", all);
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(document);
    }
}
