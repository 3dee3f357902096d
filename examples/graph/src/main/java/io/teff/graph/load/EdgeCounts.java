package io.teff.graph.load;

import io.teff.graph.edges.EdgeSource;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Numbers of a source: told by the source, or counted by reading all edges once.
 *
 * @param vertexCount number of vertices
 * @param edgeCount number of edges, with loops and duplicates
 */
record EdgeCounts(long vertexCount, long edgeCount) {
    static EdgeCounts of(EdgeSource source, Workers workers, WorkWatch watch) throws IOException {
        if (source.vertexCount() >= 0 && source.edgeCount() >= 0) {
            return new EdgeCounts(source.vertexCount(), source.edgeCount());
        }
        long[] highest = new long[workers.count()];
        long[] edges = new long[workers.count()];
        AtomicInteger next = new AtomicInteger();
        workers.<IOException>each(worker -> {
            long[] seen = {-1, 0};
            for (int part = next.getAndIncrement(); part < source.parts(); part = next.getAndIncrement()) {
                watch.check("count edges", part, source.parts());
                source.read(part, (from, to, weight) -> {
                    seen[0] = Math.max(seen[0], Math.max(from, to));
                    seen[1]++;
                });
            }
            highest[worker] = seen[0] + 1;
            edges[worker] = seen[1];
        });
        long vertexCount = Math.max(source.vertexCount(), 0);
        long edgeCount = 0;
        for (int worker = 0; worker < highest.length; worker++) {
            vertexCount = Math.max(vertexCount, highest[worker]);
            edgeCount += edges[worker];
        }
        return new EdgeCounts(vertexCount, edgeCount);
    }
}
