package io.teff.test.bench.report;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.openjdk.jmh.util.ListStatistics;

/** All figures of one number of entries and one kind of values. */
public final class Comparison {
    private final int entries;
    private final Values values;
    private final int rounds;
    /** Figures of each round by name; none if the session failed. */
    private final Map<StoreKind, List<Map<String, Double>>> sessions = new EnumMap<>(StoreKind.class);
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
     * Adds the figures of the next round's session of a store.
     *
     * @param kind the store
     * @param outcome how it ended
     */
    public void add(StoreKind kind, Outcome outcome) {
        sessions.computeIfAbsent(kind, ignored -> new ArrayList<>()).add(outcome.figures());
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
        return sessions.keySet();
    }

    /** {@return what was wrong with a store, by store} */
    public Map<StoreKind, String> failures() {
        return failures;
    }

    /** {@return a title that names entries and values} */
    public String title() {
        return String.format(Locale.ROOT, "%,d entries of %s B, median of %d rounds", entries, values, rounds);
    }

    /** {@return a name for files} */
    public String id() {
        return entries + "x" + values;
    }

    /** {@return the names of all figures, in the order of measuring} */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        sessions.values().forEach(own -> own.forEach(session -> names.addAll(session.keySet())));
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
        return percentile(all(kind, name), 50);
    }

    /** A figure in every round that has it. */
    private List<Double> all(StoreKind kind, String name) {
        return sessions.getOrDefault(kind, List.of()).stream().map(session -> session.get(name))
            .filter(Objects::nonNull).toList();
    }

    private static double percentile(List<Double> all, double rank) {
        return all.isEmpty() ? Double.NaN
            : new ListStatistics(all.stream().mapToDouble(Double::doubleValue).toArray()).getPercentile(rank);
    }

    /**
     * The spread of a figure.
     *
     * @param kind the store
     * @param name name of the figure
     * @return half of the distance from the smallest to the largest round, as a share of the median; 0 if all are
     *     equal, or NaN without any
     */
    public double spread(StoreKind kind, String name) {
        List<Double> all = all(kind, name);
        double distance = percentile(all, 100) - percentile(all, 0);
        return distance == 0 ? 0 : distance / 2 / percentile(all, 50);
    }

    /**
     * How Teff compares. Both figures of a ratio are of one round, so that a drift of the machine hits both of them.
     *
     * @param kind the store
     * @param name name of the figure
     * @return Teff's figure divided by the store's, the median of the rounds that have both, or NaN
     */
    public double ratio(StoreKind kind, String name) {
        List<Map<String, Double>> teff = sessions.getOrDefault(StoreKind.TEFF, List.of());
        List<Map<String, Double>> own = sessions.getOrDefault(kind, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(teff.size(), own.size()); round++) {
            if (teff.get(round).containsKey(name) && own.get(round).containsKey(name)) {
                ratios.add(teff.get(round).get(name) / own.get(round).get(name));
            }
        }
        return percentile(ratios, 50);
    }

    private Map<String, Object> figures(StoreKind kind) {
        Map<String, Object> figures = new LinkedHashMap<>();
        for (String name : names()) {
            List<Double> all = all(kind, name);
            if (!all.isEmpty()) {
                Map<String, Object> figure = new LinkedHashMap<>();
                figure.put("median", median(kind, name));
                double spread = spread(kind, name);
                if (Double.isFinite(spread)) {                  // not if the median is 0
                    figure.put("spread", spread);
                }
                figure.put("rounds", all);
                figures.put(name, figure);
            }
        }
        return figures;
    }

    /** The stores of any of the comparisons. */
    static Set<StoreKind> kinds(List<Comparison> comparisons) {
        Set<StoreKind> kinds = EnumSet.noneOf(StoreKind.class);
        comparisons.forEach(comparison -> kinds.addAll(comparison.kinds()));
        return kinds;
    }

    /**
     * Writes comparisons as a JSON document.
     *
     * @param machine where it ran
     * @param comparisons all of a run
     * @return the document
     */
    public static String json(Machine machine, List<Comparison> comparisons) throws IOException {
        List<Object> all = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            Map<String, Object> stores = new LinkedHashMap<>();
            comparison.kinds().forEach(kind -> stores.put(kind.id(), comparison.figures(kind)));
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
        document.put("machine", machine.fields());
        document.put("flags of all", SessionProcess.FLAGS);
        Map<String, Object> flags = new LinkedHashMap<>();
        kinds(comparisons).forEach(kind -> flags.put(kind.id(), kind.flags()));
        document.put("flags", flags);
        document.put("comparisons", all);
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(document);
    }
}
