package io.teff.cluster.terminal.demo;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.examples.graph.ClassFiles;
import io.teff.examples.graph.ClassGraph;
import io.teff.examples.graph.ClassGraphReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the JDK as a graph in a cluster: the chunks of the demo that never change during the run. The
 * checksums of the chunks and the answer to a question are noted when the graph is complete. For one thread.
 */
final class DemoGraph {
    private static final String FROM = "java.lang.String";
    private static final String TO = "java.security.KeyPair";
    private static final int BATCH = 512;
    private static final int BUFFER_BYTES = 4 << 20;

    private final ChunkStore store;
    private final ClassGraphReader reader;
    private final int count;
    private final long[] cids;
    private final int[] lengths;
    private final int[] checksums;
    private @Nullable ClassGraph graph;
    private List<String> path = List.of();

    /**
     * Prepares a graph.
     *
     * @param store store of the graph's chunks
     * @param files the class files, at least one
     * @param threads number of threads to read class files and create chunks
     */
    DemoGraph(ChunkStore store, ClassFiles files, int threads) {
        this.store = store;
        count = files.count();
        cids = new long[2 * count];
        lengths = new int[cids.length];
        checksums = new int[cids.length];
        reader = new ClassGraphReader(store, files, threads);
    }

    int classCount() {
        return count;
    }

    int chunkCount() {
        return cids.length;
    }

    /** Returns the zone of all vertexes. */
    int zone() {
        return Cid.nid(cids[0]);
    }

    /** Returns the bytes of all chunks. */
    long bytes() {
        long sum = 0;
        for (int length : lengths) {
            sum += length;
        }
        return sum;
    }

    /** Returns a shortest path of references between two classes; empty if either class is not in the graph. */
    List<String> path() {
        return path;
    }

    /** Creates the chunks; returns the number of references. */
    long create() throws IOException {
        ClassGraph created = reader.read();
        graph = created;
        int at = 0;
        for (long vertex : created.vertexes().values()) {
            cids[at++] = vertex;
            cids[at++] = created.incoming(vertex);
        }
        read((entry, length, checksum) -> {
            lengths[entry] = length;
            checksums[entry] = checksum;
        });
        path = findPath(created);
        return created.edgeCount();
    }

    private static List<String> findPath(ClassGraph in) {
        long from = in.vertex(FROM);
        long to = in.vertex(TO);
        return from == Cid.NONE || to == Cid.NONE ? List.of() : in.shortestPath(from, to).classes();
    }

    /** Reads all chunks again; returns how many differ. */
    int verify() {
        int[] wrong = new int[1];
        read((entry, length, checksum) ->
            wrong[0] += length == lengths[entry] && checksum == checksums[entry] ? 0 : 1);
        return wrong[0];
    }

    /** Returns whether the question has the answer of before. */
    boolean hasTheSamePath() {
        return graph != null && findPath(graph).equals(path);
    }

    /** Removes all chunks. */
    void remove() {
        store.batch().remove(cids, 0, cids.length, new long[cids.length]);
    }

    // ---- reading ----

    /** Takes a chunk; the length is a status if the read of the chunk has failed. */
    private interface Sink {
        void chunk(int entry, int length, int checksum);
    }

    private void read(Sink sink) {
        byte[] bytes = new byte[BUFFER_BYTES];
        List<Integer> left = new ArrayList<>();
        for (int from = 0; from < cids.length; from += BATCH) {
            read(from, Math.min(BATCH, cids.length - from), bytes, sink, left::add);
        }
        for (int entry : left) {                                // chunks without room in the buffer of a batch
            read(entry, 1, bytes, sink, _ -> sink.chunk(entry, Status.TOO_SMALL, 0));
        }
    }

    private void read(int from, int size, byte[] bytes, Sink sink, IntConsumer tooSmall) {
        int[] read = new int[size];
        store.batch().get(cids, from, size, bytes, 0, read);
        int at = 0;
        for (int i = 0; i < size; i++) {
            if (read[i] == Status.TOO_SMALL) {
                tooSmall.accept(from + i);
                continue;
            }
            int length = Math.max(read[i], 0);
            CRC32C checksum = new CRC32C();
            checksum.update(bytes, at, length);
            sink.chunk(from + i, read[i], (int) checksum.getValue());
            at += length;
        }
    }
}
