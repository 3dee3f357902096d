package io.teff.test.bench.report;

import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.Contender;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import org.openjdk.jmh.util.ListStatistics;

/**
 * The figures of all rounds, in each of which every contender runs once.
 *
 * @param <K> the contenders
 */
public class Rounds<K extends Enum<K> & Contender> {
    /** Figures of each round by name; none if the session failed. */
    private final Map<K, List<Map<String, Double>>> sessions;
    private final Map<K, String> failures;

    /**
     * Creates rounds without figures.
     *
     * @param kinds type of the contenders
     */
    public Rounds(Class<K> kinds) {
        sessions = new EnumMap<>(kinds);
        failures = new EnumMap<>(kinds);
    }

    /**
     * Adds the figures of the next round's session of a contender.
     *
     * @param kind the contender
     * @param outcome the outcome of the session
     */
    public void add(K kind, Outcome outcome) {
        sessions.computeIfAbsent(kind, ignored -> new ArrayList<>()).add(outcome.figures());
        if (outcome.failure() != null) {
            failures.put(kind, outcome.failure());
        }
    }

    /** {@return whether all sessions succeeded} */
    public boolean isComplete() {
        return failures.isEmpty();
    }

    /** {@return the contenders that have figures or failed} */
    public Set<K> kinds() {
        return sessions.keySet();
    }

    /** {@return the failures, by contender} */
    public Map<K, String> failures() {
        return failures;
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
     * @param kind the contender
     * @param name name of the figure
     * @return the median of all rounds, or NaN
     */
    public double median(K kind, String name) {
        return percentile(all(kind, name), 50);
    }

    /** A figure in every round that has it. */
    private List<Double> all(K kind, String name) {
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
     * @param kind the contender
     * @param name name of the figure
     * @return half of the distance from the smallest to the largest round, as a share of the median; 0 if all are
     *     equal, or NaN without any
     */
    public double spread(K kind, String name) {
        List<Double> all = all(kind, name);
        double distance = percentile(all, 100) - percentile(all, 0);
        return distance == 0 ? 0 : distance / 2 / percentile(all, 50);
    }

    /**
     * One figure beside another. Both figures of a ratio are of one round, so that a drift of the machine hits both of
     * them.
     *
     * @param kind the contender whose figure is divided
     * @param name name of its figure
     * @param other the contender by whose figure it is divided
     * @param otherName name of that figure
     * @return the median of the rounds that have both, or NaN
     */
    public double ratio(K kind, String name, K other, String otherName) {
        List<Map<String, Double>> own = sessions.getOrDefault(kind, List.of());
        List<Map<String, Double>> others = sessions.getOrDefault(other, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(own.size(), others.size()); round++) {
            if (own.get(round).containsKey(name) && others.get(round).containsKey(otherName)) {
                ratios.add(own.get(round).get(name) / others.get(round).get(otherName));
            }
        }
        return percentile(ratios, 50);
    }

    /**
     * All figures of a contender for a JSON document.
     *
     * @param kind the contender
     * @return median, spread if it is a number, and rounds, by name of the figure
     */
    public Map<String, Object> fields(K kind) {
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

    /**
     * All figures and ratios for a JSON document.
     *
     * @param ratio of a contender and the name of a figure; NaN if there is none
     * @return {@code figures} and {@code ratios}, each by name of the contender
     */
    protected final Map<String, Object> allFields(ToDoubleBiFunction<K, String> ratio) {
        Map<String, Object> figures = new LinkedHashMap<>();
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (K kind : kinds()) {
            Map<String, Object> own = fields(kind);
            figures.put(kind.id(), own);
            Map<String, Object> ownRatios = new LinkedHashMap<>();
            for (String figure : own.keySet()) {
                double value = ratio.applyAsDouble(kind, figure);
                if (Double.isFinite(value)) {
                    ownRatios.put(figure, value);
                }
            }
            if (!ownRatios.isEmpty()) {
                ratios.put(kind.id(), ownRatios);
            }
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("figures", figures);
        all.put("ratios", ratios);
        return all;
    }

    /** {@return the failures, by name of the contender, for a JSON document} */
    public Map<String, Object> failureFields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        failures.forEach((kind, failure) -> fields.put(kind.id(), failure));
        return fields;
    }
}
