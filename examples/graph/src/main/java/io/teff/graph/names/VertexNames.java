package io.teff.graph.names;

import io.teff.engine.ChunkStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import java.util.Locale;
import java.util.Map;

/**
 * Names of vertices, in two maps of a store: from the name to the number, and from the number to the name.
 *
 * <p>Numbers are dense: the first name has number 0, the next new name number 1. One thread adds names; any number of
 * threads look names up meanwhile.
 */
public final class VertexNames {
    /** Largest number of vertices of a graph. */
    public static final int COUNT_MAX = Integer.MAX_VALUE - 8;

    private final ChunkMap<String, Integer> numbers;
    private final ChunkLongMap<String> names;

    /**
     * Opens the names of a graph, which are empty at first.
     *
     * @param store has the maps {@code GRAPH.numbers} and {@code GRAPH.names}
     * @param graph begins the names of the maps
     */
    public VertexNames(ChunkStore store, String graph) {
        numbers = store.map(graph + ".numbers", Codecs.STRING, Codecs.INT);
        names = store.longMap(graph + ".names", Codecs.STRING);
    }

    /**
     * {@return the number of a name; a new name gets the next number}
     *
     * @param name known or new
     * @throws IllegalStateException if the name is new, and there are {@link #COUNT_MAX} names already
     */
    public int add(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        int number = count();
        if (number == COUNT_MAX) {
            throw new IllegalStateException("more than " + COUNT_MAX + " names of vertices");
        }
        names.set(number, name);
        numbers.set(name, number);
        return number;
    }

    /**
     * {@return the number of a name, or -1 if the name is unknown}
     *
     * @param name compared with regard to case
     */
    public int find(String name) {
        Integer number = numbers.get(name);
        return number == null ? -1 : number;
    }

    /**
     * {@return the name of a vertex}
     *
     * @param vertex 0 to {@code count() - 1}
     * @throws IndexOutOfBoundsException if the vertex has no name
     */
    public String name(int vertex) {
        String name = names.get(vertex);
        if (name == null) {
            throw new IndexOutOfBoundsException("vertex " + vertex + " has no name");
        }
        return name;
    }

    /** {@return the number of names} */
    public int count() {
        return numbers.size();
    }

    /**
     * Returns a name that is near to a wrong one: equal without regard to case, or the shortest that contains it.
     *
     * @param wrong a name that is unknown
     * @return empty if there is none
     */
    public String nearest(String wrong) {
        String lower = wrong.toLowerCase(Locale.ROOT);
        String best = "";
        for (Map.Entry<String, Integer> entry : numbers.entrySet()) {
            String name = entry.getKey();
            if (name.equalsIgnoreCase(wrong)) {
                return name;
            }
            boolean isShorter = best.isEmpty() || name.length() < best.length()
                || name.length() == best.length() && name.compareTo(best) < 0;
            if (isShorter && name.toLowerCase(Locale.ROOT).contains(lower)) {
                best = name;
            }
        }
        return best;
    }

    /** Recomputes the invariants: the two maps have the same pairs, and numbers are dense. */
    public void audit() {
        if (names.size() != numbers.size()) {
            throw new IllegalStateException(numbers.size() + " numbers and " + names.size() + " names");
        }
        numbers.forEach((name, number) -> {
            if (number < 0 || number >= numbers.size() || !name.equals(names.get((long) number))) {
                throw new IllegalStateException("the name " + name + " has number " + number);
            }
        });
    }
}
