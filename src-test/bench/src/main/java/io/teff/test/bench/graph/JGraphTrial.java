package io.teff.test.bench.graph;

import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.kernel.ParentTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.alg.scoring.PageRank;
import org.jgrapht.alg.util.Pair;
import org.jgrapht.opt.graph.sparse.SparseIntUndirectedGraph;
import org.jgrapht.traverse.BreadthFirstIterator;

/** A graph of JGraphT, in its form with the least memory. */
final class JGraphTrial implements GraphTrial {
    private static final double DAMPING = 0.85;
    private static final int ROUNDS = 10;

    private Graph<Integer, Integer> graph = new SparseIntUndirectedGraph(2, List.of(Pair.of(0, 1)));

    @Override
    public void load(FrozenGraph file, Map<String, Double> figures) {
        List<Pair<Integer, Integer>> edges = new ArrayList<>();
        FileEdges source = new FileEdges(file);
        for (int part = 0; part < source.parts(); part++) {
            source.read(part, (from, to, weight) -> edges.add(Pair.of((int) from, (int) to)));
        }
        graph = new SparseIntUndirectedGraph(file.vertexCount(), edges);
    }

    @Override
    public ParentTree search(int root) {
        int[] parents = new int[graph.vertexSet().size()];
        Arrays.fill(parents, ParentTree.NONE);
        BreadthFirstIterator<Integer, Integer> search = new BreadthFirstIterator<>(graph, root);
        while (search.hasNext()) {
            int vertex = search.next();
            Integer parent = search.getParent(vertex);
            parents[vertex] = parent == null ? vertex : parent;
        }
        return new ParentTree(root, parents);
    }

    @Override
    public int components() {
        return new ConnectivityInspector<>(graph).connectedSets().size();
    }

    @Override
    public boolean rank() {
        new PageRank<>(graph, DAMPING, ROUNDS, Double.MIN_VALUE).getScores();
        return true;
    }

    @Override
    public void close() {
        // only memory
    }
}
