package io.teff.test.bench.graph;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.graph.Adjacency;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.kernel.BreadthFirst;
import io.teff.graph.kernel.Components;
import io.teff.graph.kernel.PageRank;
import io.teff.graph.kernel.ParentTree;
import io.teff.graph.store.GraphLoader;
import io.teff.graph.store.RunForm;
import io.teff.graph.store.StoreGraph;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.util.Map;

/** A graph of Teff, in a store or frozen. */
final class TeffTrial implements GraphTrial {
    private static final int ROUNDS = 10;

    private final GraphPlan plan;
    private final Workers workers;
    private final Store store;
    private Adjacency graph;

    TeffTrial(GraphPlan plan) {
        this.plan = plan;
        this.workers = new Workers(plan.threads());
        this.store = Store.open(StoreConfig.builder().name("graphs").memoryLimitBytes(plan.storeBytes()).build());
        this.graph = StoreGraph.create(store, "empty", 0, false, false, RunForm.PLAIN);
    }

    @Override
    public void load(FrozenGraph file, Map<String, Double> figures) throws IOException {
        if (plan.kind() == GraphKind.FROZEN) {
            graph = file;
            figures.put("bytes per edge", file.memoryBytes() / (file.arcCount() / 2.0));
            return;
        }
        EdgeSource edges = plan.scale() > 0 ? new Kronecker(plan.scale()) : new FileEdges(file);
        GraphLoader loader = new GraphLoader(store, workers).form(plan.kind() == GraphKind.PACKED ? RunForm.PACKED
            : RunForm.PLAIN);
        loader.load("warm", edges);
        StoreGraph.drop(store, "warm");
        long used = store.stats().usedBytes();
        long begin = System.nanoTime();
        StoreGraph loaded = loader.load("graph", edges);
        double seconds = (System.nanoTime() - begin) / 1e9;
        figures.put("load M edges/s", edges.edgeCount() / seconds / 1e6);
        figures.put("bytes per edge", (store.stats().usedBytes() - used) / (loaded.arcCount() / 2.0));
        graph = loaded;
    }

    @Override
    public ParentTree search(int root) {
        return new BreadthFirst(graph, workers).search(root);
    }

    @Override
    public int components() {
        return Components.of(graph, workers).count();
    }

    @Override
    public boolean rank() {
        PageRank.gap(graph, ROUNDS, 0, workers, WorkWatch.NONE);
        return true;
    }

    @Override
    public void close() {
        store.close();
        workers.close();
    }
}
