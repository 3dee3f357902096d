package io.teff.graph.names;

import io.teff.engine.ChunkStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Labels of edges. A label is a bit, and the labels of all parallel edges between two vertices are one set of bits,
 * which the graph keeps as the weight of a single edge: a {@code double} holds 53 bits exactly.
 *
 * <p>One thread adds labels; any number of threads use known labels.
 */
public final class EdgeLabels {
    /** Largest number of labels of a graph. */
    public static final int COUNT_MAX = 52;

    private final ChunkLongMap<String> labels;
    private final List<String> byBit = new ArrayList<>();

    /**
     * Opens the labels of a graph, which are empty at first.
     *
     * @param store has the map {@code GRAPH.labels}
     * @param graph begins the name of the map
     */
    public EdgeLabels(ChunkStore store, String graph) {
        labels = store.longMap(graph + ".labels", Codecs.STRING);
        for (long bit = 0; bit < labels.size(); bit++) {
            String label = labels.get(bit);
            if (label == null) {
                throw new IllegalStateException("bit " + bit + " of " + labels.size() + " has no label");
            }
            byBit.add(label);
        }
    }

    /**
     * Returns the bit of a label; a new label gets the next bit.
     *
     * @param label known or new
     * @return 0 to {@code COUNT_MAX - 1}
     * @throws IllegalStateException if the label is new, and there are {@link #COUNT_MAX} labels already
     */
    public int add(String label) {
        int known = byBit.indexOf(label);
        if (known >= 0) {
            return known;
        }
        int bit = byBit.size();
        if (bit == COUNT_MAX) {
            throw new IllegalStateException("more than " + COUNT_MAX + " labels of edges; the next is " + label);
        }
        labels.set(bit, label);
        byBit.add(label);
        return bit;
    }

    /**
     * {@return whether a label is known, or can be added}
     *
     * @param label known or new
     */
    public boolean hasRoomFor(String label) {
        return byBit.size() < COUNT_MAX || byBit.contains(label);
    }

    /** {@return all labels, in the order of their bits} */
    public List<String> all() {
        return List.copyOf(byBit);
    }

    /**
     * {@return the set of some labels: a bit for each label}
     *
     * @param chosen known labels
     * @throws IllegalArgumentException if a label is unknown: the message names all labels
     */
    public long set(Collection<String> chosen) {
        long set = 0;
        for (String label : chosen) {
            int bit = byBit.indexOf(label);
            if (bit < 0) {
                throw new IllegalArgumentException("no edge has the label " + label + "; labels: "
                    + String.join(", ", byBit));
            }
            set |= 1L << bit;
        }
        return set;
    }

    /**
     * {@return the labels in the weight of an edge, in the order of their bits}
     *
     * @param weight a set of labels, as {@link #set} makes it
     */
    public List<String> of(double weight) {
        long set = (long) weight;
        List<String> found = new ArrayList<>();
        for (int bit = 0; bit < byBit.size(); bit++) {
            if ((set >>> bit & 1) != 0) {
                found.add(byBit.get(bit));
            }
        }
        return found;
    }
}
