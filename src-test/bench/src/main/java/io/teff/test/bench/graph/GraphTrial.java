package io.teff.test.bench.graph;

import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.kernel.ParentTree;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A graph of one library. */
interface GraphTrial extends AutoCloseable {
    /** Loads the graph; adds figures of the load. */
    void load(FrozenGraph file, Map<String, Double> figures) throws IOException;

    /** Searches from a root; returns the tree, or null if the library has none. */
    @Nullable ParentTree search(int root) throws IOException;

    /** Finds the connected components; returns their number, or -1 if the library has no such method. */
    int components();

    /** Runs ten rounds of PageRank; returns whether the library can. */
    boolean rank();

    @Override
    void close();
}
