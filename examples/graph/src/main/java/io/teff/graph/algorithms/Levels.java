package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Topological levels: the level of a vertex is the number of arcs on the longest path that leads to the vertex, with
 * each strongly connected component taken as one vertex. So an arc leads to a greater level, or stays in its component.
 * Vertices of level 0 need nothing of others.
 *
 * <p>Components without arcs from open components leave the graph together and form the next level. Time O(n + m), one
 * meeting of the threads for each level; memory 16 bytes for each vertex beside the components. The result does not
 * depend on the threads.
 *
 * <p>A. Kahn, "Topological sorting of large networks", Communications of the ACM 1962.
 */
public final class Levels {
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int NONE = -1;

    private Levels() {}

    /**
     * Levels of all vertices.
     *
     * @param graph directed
     * @param components of the graph
     * @param team the threads
     * @return one for each vertex, from 0
     */
    public static int[] of(Adjacency graph, StrongComponents components, Team team) {
        int vertexCount = graph.vertexCount();
        int[] heads = components.components();
        int[] nexts = new int[vertexCount];          // the members of a component behind its smallest vertex
        int[] lasts = new int[vertexCount];
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            nexts[vertex] = NONE;
            if (heads[vertex] != vertex) {
                nexts[lasts[heads[vertex]]] = vertex;
            }
            lasts[heads[vertex]] = vertex;
        }
        Neighbours[] cursors = team.each(Neighbours[]::new, worker -> graph.neighbours());
        int[] incoming = new int[vertexCount];
        team.forEach(vertexCount, (from, to, worker) -> {
            for (int vertex = from; vertex < to; vertex++) {
                for (int left = cursors[worker].open(vertex); left > 0; left--) {
                    int head = heads[cursors[worker].next()];
                    if (head != heads[vertex]) {
                        INTS.getAndAdd(incoming, head, 1);
                    }
                }
            }
        });
        IntList[] found = team.each(IntList[]::new, worker -> new IntList());
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            if (heads[vertex] == vertex && incoming[vertex] == 0) {
                found[0].add(vertex);
            }
        }
        int[] levels = new int[vertexCount];
        for (int level = 0; ; level++) {
            int[] now = IntList.join(found);
            if (now.length == 0) {
                return levels;
            }
            int number = level;
            team.forEach(now.length, (from, to, worker) -> {
                for (int i = from; i < to; i++) {
                    for (int vertex = now[i]; vertex != NONE; vertex = nexts[vertex]) {
                        levels[vertex] = number;
                        leave(cursors[worker], vertex, heads, incoming, found[worker]);
                    }
                }
            });
        }
    }

    private static void leave(Neighbours cursor, int vertex, int[] heads, int[] incoming, IntList found) {
        for (int left = cursor.open(vertex); left > 0; left--) {
            int head = heads[cursor.next()];
            if (head != heads[vertex] && (int) INTS.getAndAdd(incoming, head, -1) == 1) {
                found.add(head);
            }
        }
    }

    /**
     * {@return the number of vertices of each level, from level 0; empty for a graph without vertices}
     *
     * @param levels the level of each vertex, as {@link #of} returns them; not changed
     */
    public static int[] counts(int[] levels) {
        int[] counts = new int[Arrays.stream(levels).max().orElse(NONE) + 1];
        for (int level : levels) {
            counts[level]++;
        }
        return counts;
    }
}
