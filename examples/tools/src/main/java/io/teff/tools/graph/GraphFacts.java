package io.teff.tools.graph;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Notes about the loaded graphs, in a map of their store: where the edges come from, and whether vertices have names
 * and edges have labels.
 *
 * @param source the argument of the load
 * @param hasNames whether vertices have names
 * @param hasLabels whether weights are sets of labels
 */
record GraphFacts(String source, boolean hasNames, boolean hasLabels) {
    private static final String MAP = "graphs of teff graph";
    private static final char NAMES = 'n';
    private static final char LABELS = 'l';
    private static final int FLAGS = 2;

    /** The notes about a graph; a graph that another program has loaded has neither names nor labels. */
    static GraphFacts of(Store store, String name) {
        String text = all(store, store.names().get(MAP).isPresent()).getOrDefault(name, "--another program");
        return new GraphFacts(text.substring(FLAGS), text.charAt(0) == NAMES, text.charAt(1) == LABELS);
    }

    /** The names of all loaded graphs. */
    static List<String> all(Store store) {
        return List.copyOf(new TreeMap<>(all(store, store.names().get(MAP).isPresent())).keySet());
    }

    private static Map<String, String> all(ChunkStore store, boolean isThere) {
        return isThere ? store.map(MAP, Codecs.STRING, Codecs.STRING) : Map.of();
    }

    /** Notes a loaded graph. */
    void note(Store store, String name) {
        all(store, true).put(name, String.valueOf(hasNames ? NAMES : '-') + (hasLabels ? LABELS : '-') + source);
    }

    /** Forgets a graph. */
    static void forget(Store store, String name) {
        all(store, true).remove(name);
    }
}
