package io.teff.tools.demo;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.examples.graph.ClassFiles;
import io.teff.examples.graph.ClassGraph;
import io.teff.examples.graph.ClassGraphReader;
import io.teff.recovery.DurableConfig;
import io.teff.recovery.DurableStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that the demo kills: stores the class graph, then counts visits of its classes without end. It writes an
 * acknowledgement to standard output when the store has returned from an update; bytes in a pipe survive their writer.
 *
 * <p>Each thread has its own classes and visits them one after the other, so at most one visit of each thread has no
 * acknowledgement at any time.
 */
public final class DurableWorker {
    /** Bytes of an acknowledgement: the number of the class, an int, and its visits, a long. */
    static final int ACKNOWLEDGEMENT_BYTES = Integer.BYTES + Long.BYTES;
    /** Replaces the number of a class: the graph is stored. */
    static final int STORED = -1;

    private DurableWorker() {}

    /**
     * Runs until it is killed.
     *
     * @param arguments folder of the store, and number of threads
     * @throws IOException if a class cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        final int threads = Integer.parseInt(arguments[1]);
        try (DurableStore durable = DurableStore.open(Path.of(arguments[0]), config().build())) {
            final ClassFiles files = ClassFiles.ofRuntimeImage();
            final DurableGraph visits = durable.restoredEntries() == 0 ? store(durable, files, threads)
                : new DurableGraph(durable.store());
            acknowledge(STORED, 0);
            work(visits, files.count(), threads);
        }
    }

    /**
     * Reads the graph into a store in memory, and copies its chunks to the durable store at the same CIDs. Reading into
     * the durable store would write much more: referrers are added one by one, and each change logs the whole chunk.
     */
    private static DurableGraph store(DurableStore durable, ClassFiles files, int threads) throws IOException {
        try (Store scratch = Store.open(config().build().store())) {
            final ClassGraph graph = new ClassGraphReader(scratch, files, threads).read();
            scratch.ids().forEach(cid -> {
                final byte[] chunk = new byte[(int) scratch.size(cid)];
                scratch.get(cid, chunk);
                DurableGraph.check(durable.store().ids().createAt(cid, chunk) == Status.OK, "a chunk was not created");
            });
            final DurableGraph stored = new DurableGraph(durable.store());
            stored.note(graph);
            durable.sync();
            return stored;
        }
    }

    /** Returns the configuration of the durable store. */
    static DurableConfig.Builder config() {
        return DurableConfig.builder().store(StoreConfig.builder().name("durable").nid(1).build());
    }

    private static void work(DurableGraph visits, int classes, int threads) {
        final List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            final int first = i;
            workers.add(Thread.ofPlatform().start(() -> visit(visits, first, classes, threads)));
        }
        for (Thread worker : workers) {
            try {
                worker.join();
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private static void visit(DurableGraph visits, int first, int classes, int threads) {
        for (int number = first; true; number = number + threads < classes ? number + threads : first) {
            final long count = visits.visits(number) + 1;
            visits.setVisits(number, count);
            acknowledge(number, count);
        }
    }

    private static void acknowledge(int number, long count) {
        final byte[] bytes = ByteBuffer.allocate(ACKNOWLEDGEMENT_BYTES).putInt(number).putLong(count).array();
        System.out.write(bytes, 0, bytes.length);                 // atomic: shorter than PIPE_BUF
        System.out.flush();
        if (System.out.checkError()) {
            Runtime.getRuntime().halt(1);                       // the parent process has ended
        }
    }
}
