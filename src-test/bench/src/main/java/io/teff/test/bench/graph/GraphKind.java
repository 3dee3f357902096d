package io.teff.test.bench.graph;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** A library whose graphs are measured. */
enum GraphKind implements Contender {
    FROZEN("Teff, frozen", true),
    STORE("Teff, in a store", true),
    PACKED("Teff, in a store, packed", true),
    WEBGRAPH("WebGraph", false),
    JGRAPHT("JGraphT", false);

    private final String title;
    private final boolean isOffHeap;

    GraphKind(String title, boolean isOffHeap) {
        this.title = title;
        this.isOffHeap = isOffHeap;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean isOffHeap() {
        return isOffHeap;
    }

    @Override
    public List<String> flags() {
        return List.of("--enable-native-access=ALL-UNNAMED");
    }

    /** Makes the trial of this library. */
    GraphTrial trial(GraphPlan plan) {
        return switch (this) {
            case FROZEN, STORE, PACKED -> new TeffTrial(plan);
            case WEBGRAPH -> new WebGraphTrial();
            case JGRAPHT -> new JGraphTrial();
        };
    }
}
