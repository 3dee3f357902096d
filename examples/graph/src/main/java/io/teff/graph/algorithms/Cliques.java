package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Maximal cliques: sets of vertices with an edge between each two, to which no further vertex can be added. Directions,
 * loops and repeated arcs do not count. A vertex without neighbours is a clique of one.
 *
 * <p>Vertices leave in degeneracy order, so each has at most d later neighbours, with the greatest core number d. The
 * algorithm of Bron and Kerbosch with pivots lists the cliques among a vertex and its later neighbours, as bits in a
 * table of edges among these. Time O(d n 3^(d/3)), near the number of cliques that a graph can have. Memory 4 bytes for
 * each arc, 16 bytes for each vertex, and for each thread d bits for each neighbour of one vertex: cliques go to a sink
 * and are not kept. The set of cliques does not depend on the threads; their order does.
 *
 * <p>C. Bron and J. Kerbosch, "Finding all cliques of an undirected graph", Communications of the ACM 1973; E. Tomita,
 * A. Tanaka and H. Takahashi, "The worst-case time complexity for generating all maximal cliques", 2006; D. Eppstein,
 * M. Loeffler and D. Strash, "Listing all maximal cliques in sparse graphs in near-optimal time", ISAAC 2010.
 */
public final class Cliques {
    private Cliques() {}

    /**
     * Lists all maximal cliques, each once.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @param sink gets the cliques
     * @return number of cliques that the sink has got; all of them, if the sink has always returned true
     */
    public static long list(Adjacency graph, Team team, CliqueSink sink) {
        IntRows rows = SimpleGraphs.whole(graph, team);
        int[] order = Cores.degeneracyOrder(rows, team);
        int[] ranks = SimpleGraphs.ranks(order);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong found = new AtomicLong();
        AtomicInteger done = new AtomicInteger();
        CliqueSink counting = (members, size) -> {
            if (ended.get()) {
                return false;
            }
            found.incrementAndGet();
            if (!sink.clique(members, size)) {
                ended.set(true);
            }
            return !ended.get();
        };
        CliqueSearch[] searches = team.each(CliqueSearch[]::new,
            worker -> new CliqueSearch(rows, ranks, team, counting));
        team.forEach(order.length, 1, (from, to, worker) -> {
            for (int i = from; i < to && !ended.get(); i++) {
                searches[worker].run(order[i]);
                team.report("cliques", done.incrementAndGet(), order.length);
            }
        });
        return found.get();
    }
}
