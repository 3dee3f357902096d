package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Strongly connected components: two vertices are in one component if a path leads from each of them to the other. The
 * component of a vertex has the number of its smallest vertex. In an undirected graph, a component is a connected part.
 *
 * <p>Three steps. Vertices without an arc to, or without an arc from, the remaining vertices are components of their
 * own and leave, again and again. Then the threads search forward and backward from the vertex with the most arcs; the
 * vertices that both searches reach are one component, often almost the whole graph. Tarjan's algorithm finds the rest
 * on the calling thread, without recursion. Time O(n + m); memory 24 bytes for each vertex, and 4 bytes for each arc
 * between vertices that are left for Tarjan's algorithm. The result does not depend on the threads.
 *
 * <p>R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1972; L. Fleischer, B.
 * Hendrickson and A. Pinar, "On identifying strongly connected components in parallel", 2000; W. McLendon and others,
 * 2005 (trimming).
 */
public final class StrongComponents {
    private final int[] components;

    private StrongComponents(int[] components) {
        this.components = components;
    }

    /**
     * Finds the components.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @return the components of all vertices
     * @throws IllegalStateException if a directed graph was built without its reverse
     */
    public static StrongComponents of(Adjacency graph, Team team) {
        int[] components = new int[graph.vertexCount()];
        Arrays.fill(components, Trimming.OPEN);
        if (graph.directed()) {
            Trimming.run(graph, team, components);
        }
        TwoSearches.run(graph, team, components);
        team.check();
        new Tarjan(graph, team, components).run();
        return new StrongComponents(components);
    }

    /**
     * The component of each vertex.
     *
     * @return the smallest vertex of the component, for each vertex
     */
    public int[] components() {
        return components.clone();
    }

    /**
     * {@return the component of a vertex: the smallest vertex of the component}
     *
     * @param vertex 0 to the number of vertices - 1
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph
     */
    public int component(int vertex) {
        return components[vertex];
    }

    /** {@return the number of components} */
    public int count() {
        int count = 0;
        for (int vertex = 0; vertex < components.length; vertex++) {
            count += components[vertex] == vertex ? 1 : 0;
        }
        return count;
    }

    /**
     * Components of two or more vertices, such as packages that need each other.
     *
     * @return the vertices of each in ascending order; the largest component first, of equal ones the one with the
     *     smallest vertex
     */
    public List<int[]> cycles() {
        int[] sizes = new int[components.length];
        for (int component : components) {
            sizes[component]++;
        }
        List<int[]> cycles = new ArrayList<>();
        int[][] bySmallest = new int[components.length][];
        for (int vertex = 0; vertex < components.length; vertex++) {
            int component = components[vertex];
            if (sizes[component] > 1 && component == vertex) {
                bySmallest[component] = new int[sizes[component]];
                cycles.add(bySmallest[component]);
                sizes[component] = 1 << 31 | sizes[component];
            }
            if (sizes[component] < 0) {
                int[] cycle = bySmallest[component];
                cycle[cycle.length - (sizes[component]-- & Integer.MAX_VALUE)] = vertex;
            }
        }
        cycles.sort((left, right) -> left.length != right.length ? Integer.compare(right.length, left.length)
            : Integer.compare(left[0], right[0]));
        return cycles;
    }

    /** Removes vertices that no cycle can contain: those without arcs from, or without arcs to, remaining vertices. */
    static final class Trimming {
        static final int OPEN = -1;

        private Trimming() {}

        static void run(Adjacency graph, Team team, int[] components) {
            Adjacency reverse = graph.reversed();
            int[] in = arcs(reverse, team);
            int[] out = arcs(graph, team);
            IntList gone = new IntList();
            for (int vertex = 0; vertex < components.length; vertex++) {
                if (in[vertex] == 0 || out[vertex] == 0) {
                    components[vertex] = vertex;
                    gone.add(vertex);
                }
            }
            Neighbours forward = graph.neighbours();
            Neighbours backward = reverse.neighbours();
            while (gone.size() > 0) {
                int vertex = gone.removeLast();
                lower(forward, vertex, in, components, gone);
                lower(backward, vertex, out, components, gone);
            }
        }

        /** Number of arcs of each vertex, without loops. */
        private static int[] arcs(Adjacency graph, Team team) {
            int[] arcs = new int[graph.vertexCount()];
            Neighbours[] cursors = team.each(Neighbours[]::new, worker -> graph.neighbours());
            team.forEach(arcs.length, (from, to, worker) -> {
                for (int vertex = from; vertex < to; vertex++) {
                    for (int left = cursors[worker].open(vertex); left > 0; left--) {
                        arcs[vertex] += cursors[worker].next() == vertex ? 0 : 1;
                    }
                }
            });
            return arcs;
        }

        private static void lower(Neighbours cursor, int vertex, int[] arcs, int[] components, IntList gone) {
            for (int left = cursor.open(vertex); left > 0; left--) {
                int next = cursor.next();
                if (components[next] == OPEN && --arcs[next] == 0) {
                    components[next] = next;
                    gone.add(next);
                }
            }
        }
    }
}
