package io.teff.test.rules.tidy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How often a reader has to look for the noun: sentences with four or more pronouns, and pronouns among all words.
 *
 * <p>Each module of product code and each page has to meet the bars. A module or page that does not meet the bars has a
 * line with ceilings in a text file. A figure must not rise above its ceiling, so ceilings are only ever lowered; the
 * aim is a file without lines. Name the noun again, or put an exception into a sentence of its own.
 *
 * <p>A ceiling has the same unit as the bar: chains per 1,000 sentences, pronouns per 1,000 words, and the number of
 * {@code param} tags with no more than the parameter's name.
 */
final class ChainRules {
    static final int MODULE_CHAINS_MAX = 2;
    static final int PAGE_CHAINS_MAX = 10;
    static final int PRONOUNS_MAX = 60;
    /** A page with fewer sentences than this may have one chain. */
    static final int SMALL_PAGE_SENTENCES = 200;

    private static final int THOUSAND = 1000;
    private static final int WORST_COUNT = 10;
    private static final int COLUMNS = 4;
    private static final Ceiling NO_CEILING = new Ceiling(0, 0, 0);

    private ChainRules() {}

    /**
     * The figures that a place may have.
     *
     * @param chains per 1,000 sentences
     * @param pronouns per 1,000 words
     * @param params number of tags with no more than the parameter's name
     */
    record Ceiling(double chains, double pronouns, int params) {}

    /** The prose of one module or one page. */
    static final class Place {
        private final String name;
        private final List<Sentence> sentences = new ArrayList<>();
        private final List<Finding> params = new ArrayList<>();

        Place(String name) {
            this.name = name;
        }

        /** Adds one file of the module, or the page. */
        void add(String path, String text) {
            sentences.addAll(Sentence.all(path, text));
            if (!isPage()) {
                params.addAll(ParamRules.check(path, text));
            }
        }

        String name() {
            return name;
        }

        private boolean isPage() {
            return name.endsWith(".md");
        }

        long chains() {
            return sentences.stream().filter(Sentence::isChain).count();
        }

        double chainRate() {
            return chains() * (double) THOUSAND / Math.max(1, sentences.size());
        }

        double pronounRate() {
            long words = sentences.stream().mapToLong(Sentence::words).sum();
            return sentences.stream().mapToLong(Sentence::pronouns).sum() * (double) THOUSAND / Math.max(1, words);
        }

        private boolean hasFewChains() {
            return isPage()
                ? chainRate() <= PAGE_CHAINS_MAX || chains() <= 1 && sentences.size() < SMALL_PAGE_SENTENCES
                : chainRate() <= MODULE_CHAINS_MAX;
        }

        /** {@return whether the place needs no line in the file of ceilings} */
        boolean meetsBars() {
            return check(NO_CEILING).isEmpty();
        }

        /** What exceeds both its bar and its ceiling, with the worst sentences; empty if nothing does. */
        List<String> check(Ceiling ceiling) {
            List<String> faults = new ArrayList<>();
            if (!hasFewChains() && chainRate() > ceiling.chains()) {
                faults.add(fault(chainRate(), "chains per 1,000 sentences", Math.max(ceiling.chains(),
                    isPage() ? PAGE_CHAINS_MAX : MODULE_CHAINS_MAX)) + worst());
            }
            if (pronounRate() > Math.max(PRONOUNS_MAX, ceiling.pronouns())) {
                faults.add(fault(pronounRate(), "pronouns per 1,000 words", Math.max(ceiling.pronouns(), PRONOUNS_MAX))
                    + worst());
            }
            if (params.size() > ceiling.params()) {
                faults.add(fault(params.size(), "@param that repeat the name", ceiling.params())
                    + Finding.list(params));
            }
            return faults;
        }

        private String fault(double figure, String unit, double max) {
            return String.format(Locale.ROOT, "%s: %.1f %s, at most %.1f", name, figure, unit, max);
        }

        private String worst() {
            return Finding.list(sentences.stream().sorted(Comparator.comparingInt(Sentence::pronouns).reversed())
                .limit(WORST_COUNT).map(Sentence::asFinding).toList());
        }
    }

    /** The ceilings of a text file, by place: one line each, with columns between single spaces. */
    static Map<String, Ceiling> ceilings(String text) {
        Map<String, Ceiling> ceilings = new TreeMap<>();
        for (String line : text.lines().filter(it -> !it.isBlank() && !it.startsWith("#")).toList()) {
            String[] columns = line.split(" ");
            if (columns.length != COLUMNS) {
                throw new IllegalArgumentException("not place, chains, pronouns and params: " + line);
            }
            ceilings.put(columns[0], new Ceiling(Double.parseDouble(columns[1]), Double.parseDouble(columns[2]),
                Integer.parseInt(columns[3])));
        }
        return ceilings;
    }

    /** All faults of all places, each with its worst sentences. */
    static List<String> check(Iterable<Place> places, Map<String, Ceiling> ceilings) {
        List<String> faults = new ArrayList<>();
        for (Place place : places) {
            faults.addAll(place.check(ceilings.getOrDefault(place.name(), NO_CEILING)));
        }
        return faults;
    }
}
