package io.teff.graph;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.store.GraphLoader;
import io.teff.graph.store.RunForm;
import io.teff.graph.store.StoreGraph;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.util.List;

/** The same graph in all forms of this library, in a store that is used again for the next graph. */
public final class GraphForms implements AutoCloseable {
    /** Threads of the tests that run with several. */
    public static final int THREADS = 3;

    private final Store store = Store.open(StoreConfig.builder().name("graphs").memoryLimitBytes(256 << 20).build());
    /** One worker, and several. */
    private final List<Workers> workers = List.of(new Workers(1), new Workers(THREADS));

    /** Opens a store without graphs. */
    public GraphForms() {}

    /** Returns one worker, and several. */
    public List<Workers> workers() {
        return workers;
    }

    /** Returns the store. */
    public Store store() {
        return store;
    }

    /** Returns all forms of a graph; the forms of the call before end. */
    public List<Adjacency> all(EdgeList edges, LoadOptions options) throws IOException {
        StoreGraph.drop(store, "plain");
        StoreGraph.drop(store, "packed");
        StoreGraph plain = new GraphLoader(store, workers.get(1)).options(options).load("plain", edges);
        StoreGraph packed = new GraphLoader(store, workers.get(0)).options(options).form(RunForm.PACKED)
            .load("packed", edges);
        return List.of(plain, packed, FrozenGraph.of(packed, workers.get(1)),
            FrozenGraph.load(edges, options, workers.get(1), WorkWatch.NONE));
    }

    @Override
    public void close() {
        store.audit();
        store.close();
        workers.forEach(Workers::close);
    }
}
