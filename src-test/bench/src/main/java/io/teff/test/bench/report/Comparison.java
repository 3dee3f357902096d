package io.teff.test.bench.report;

import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** All figures of one number of entries and one kind of values. */
public final class Comparison extends Rounds<StoreKind> {
    private final int entries;
    private final Values values;
    private final int rounds;

    /**
     * An empty comparison.
     *
     * @param entries number of entries
     * @param values their lengths
     * @param rounds number of rounds
     */
    public Comparison(int entries, Values values, int rounds) {
        super(StoreKind.class);
        this.entries = entries;
        this.values = values;
        this.rounds = rounds;
    }

    /** {@return a title that names entries and values} */
    public String title() {
        return String.format(Locale.ROOT, "%,d entries of %s B, median of %d rounds", entries, values, rounds);
    }

    /** {@return a name for files} */
    public String id() {
        return entries + "x" + values;
    }

    /**
     * How Teff compares.
     *
     * @param kind the store
     * @param name name of the figure
     * @return Teff's figure divided by the store's of the same round, the median of the rounds that have both, or NaN
     */
    public double ratio(StoreKind kind, String name) {
        return ratio(StoreKind.TEFF, name, kind, name);
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
            comparison.kinds().forEach(kind -> stores.put(kind.id(), comparison.fields(kind)));
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("entries", comparison.entries);
            one.put("values", comparison.values.toString());
            one.put("rounds", comparison.rounds);
            one.put("figures", stores);
            one.put("failures", comparison.failureFields());
            all.add(one);
        }
        return new ReportHead(machine, kinds(comparisons)).json(Map.of("comparisons", all));
    }
}
