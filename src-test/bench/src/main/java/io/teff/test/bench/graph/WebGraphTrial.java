package io.teff.test.bench.graph;

import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.kernel.ParentTree;
import it.unimi.dsi.webgraph.ArrayListMutableGraph;
import it.unimi.dsi.webgraph.BVGraph;
import it.unimi.dsi.webgraph.ImmutableGraph;
import it.unimi.dsi.webgraph.LazyIntIterator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A compressed graph of WebGraph, with a search downwards: the library has no other. */
final class WebGraphTrial implements GraphTrial {
    private @Nullable ImmutableGraph graph;

    @Override
    public void load(FrozenGraph file, Map<String, Double> figures) throws IOException {
        Path folder = Files.createTempDirectory("webgraph");
        try {
            String name = folder.resolve("graph").toString();
            BVGraph.store(new Wrapped(file), name);
            figures.put("bytes per edge", Files.size(Path.of(name + ".graph")) / (file.arcCount() / 2.0));
            graph = BVGraph.load(name);
        } finally {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path path : files.toList()) {
                    Files.delete(path);
                }
            }
            Files.delete(folder);
        }
    }

    /** The file as a graph of the library. */
    private static final class Wrapped extends ImmutableGraph {
        private final FrozenGraph file;

        Wrapped(FrozenGraph file) {
            this.file = file;
        }

        @Override
        public int numNodes() {
            return file.vertexCount();
        }

        @Override
        public boolean randomAccess() {
            return true;
        }

        @Override
        public int outdegree(int vertex) {
            return file.degree(vertex);
        }

        @Override
        public int[] successorArray(int vertex) {
            int[] run = new int[file.degree(vertex)];
            for (int i = 0; i < run.length; i++) {
                run[i] = file.target(file.start(vertex) + i);
            }
            return run;
        }

        @Override
        public ImmutableGraph copy() {
            return this;
        }
    }

    @Override
    public @Nullable ParentTree search(int root) {
        ImmutableGraph loaded = graph;
        if (loaded == null) {
            return null;
        }
        int[] parents = new int[loaded.numNodes()];
        Arrays.fill(parents, ParentTree.NONE);
        int[] queue = new int[parents.length];
        parents[root] = root;
        queue[0] = root;
        int end = 1;
        for (int at = 0; at < end; at++) {
            LazyIntIterator run = loaded.successors(queue[at]);
            for (int neighbour = run.nextInt(); neighbour >= 0; neighbour = run.nextInt()) {
                if (parents[neighbour] < 0) {
                    parents[neighbour] = queue[at];
                    queue[end++] = neighbour;
                }
            }
        }
        return new ParentTree(root, parents);
    }

    @Override
    public int components() {
        return -1;
    }

    @Override
    public boolean rank() {
        return false;
    }

    @Override
    public void close() {
        graph = new ArrayListMutableGraph().immutableView();
    }
}
