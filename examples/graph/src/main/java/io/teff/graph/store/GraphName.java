package io.teff.graph.store;

import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.Store;

/** The name of a graph among the names of a store, with the names of its properties behind a separator. */
final class GraphName {
    /** Divides the name of a graph from the name of a property. */
    static final char SEPARATOR = '/';
    private static final String PREFIX = "graph ";

    private GraphName() {}

    /** Returns the name of the header. */
    static String of(String graph) {
        if (graph.indexOf(SEPARATOR) >= 0) {
            throw new IllegalArgumentException("name=" + graph + " has a " + SEPARATOR);
        }
        return PREFIX + graph;
    }

    /** Returns the CID of the header of a graph, or NONE. */
    static long find(Store store, String graph) {
        return store.names().get(of(graph)).map(NamedRoot::cid).orElse(Cid.NONE);
    }
}
