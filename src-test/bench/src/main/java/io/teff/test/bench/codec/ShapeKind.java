package io.teff.test.bench.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** The kinds of values that are converted. */
public enum ShapeKind {
    /** Five numbers, 36 bytes. */
    FLAT(Flat.class, "flat object, 36 bytes", 64) {
        @Override
        Object sample(SplittableRandom random, int number) {
            return new Flat(1_000_000L + number, random.nextInt(100), random.nextInt(1_000_000),
                1_700_000_000_000L + random.nextInt(), random.nextLong());
        }
    },
    /** Four strings and a number. */
    PERSON(Person.class, "record with strings", 64) {
        @Override
        Object sample(SplittableRandom random, int number) {
            String first = word(random, 4, 10);
            String last = word(random, 5, 12);
            return new Person(first, last, first + "." + last + "@example.org", word(random, 6, 14),
                random.nextInt(1940, 2015));
        }
    },
    /** A tree of fifty objects, seven in each. */
    GRAPH(Node.class, "graph of 50 objects", 8) {
        @Override
        Object sample(SplittableRandom random, int number) {
            List<Node> all = new ArrayList<>();
            List<ArrayList<Node>> children = new ArrayList<>();
            for (int i = 0; i < GRAPH_NODES; i++) {
                children.add(new ArrayList<>());
                all.add(new Node(i, random.nextInt(10_000), word(random, 3, 9), children.get(i)));
                if (i > 0) {
                    children.get((i - 1) / GRAPH_CHILDREN).add(all.get(i));
                }
            }
            return all.getFirst();
        }
    },
    /** A list of a thousand records. */
    LIST(Shelf.class, "list of 1,000 records", 4) {
        @Override
        Object sample(SplittableRandom random, int number) {
            ArrayList<Item> items = new ArrayList<>();
            for (int i = 0; i < LIST_ITEMS; i++) {
                items.add(new Item(1_000_000L + i, random.nextInt(100), random.nextDouble()));
            }
            return new Shelf(items);
        }
    };

    static final int GRAPH_NODES = 50;
    static final int LIST_ITEMS = 1000;
    private static final int GRAPH_CHILDREN = 7;
    private static final long SEED = 42;

    private final Class<?> type;
    private final String title;
    private final int samples;

    ShapeKind(Class<?> type, String title, int samples) {
        this.type = type;
        this.title = title;
        this.samples = samples;
    }

    abstract Object sample(SplittableRandom random, int number);

    Class<?> type() {
        return type;
    }

    /** {@return its name in tables} */
    public String title() {
        return title;
    }

    /** {@return its name on the command line} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the same values in every process; several, so that the JIT does not specialize on one. */
    List<Object> samples() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            all.add(sample(random, i));
        }
        return all;
    }

    private static String word(SplittableRandom random, int from, int to) {
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(from, to); i > 0; i--) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }
}
