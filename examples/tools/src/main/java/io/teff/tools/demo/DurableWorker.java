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
 * The process that the demo kills: stores the class graph, and counts visits of its classes until the end. It tells its
 * parent of each visit when the store has acknowledged it; what is in a pipe survives who wrote it.
 *
 * <p>Each thread has classes of its own, and visits one after the other, so at most one visit of each thread is under
 * way at any time.
 */
public final class DurableWorker {
    /** Bytes of what is told of a visit: the class's number, and how often it was visited. */
    static final int TOLD_BYTES = Integer.BYTES + Long.BYTES;
    /** In place of a number: the graph is stored. */
    static final int STORED = -1;

    private DurableWorker() {}

    /**
     * Works until it is killed.
     *
     * @param arguments the store's folder, and the number of threads
     * @throws IOException if a class cannot be read, or the parent is gone
     */
    public static void main(String[] arguments) throws IOException {
        final int threads = Integer.parseInt(arguments[1]);
        try (DurableStore durable = DurableStore.open(Path.of(arguments[0]), config().build())) {
            final ClassFiles files = ClassFiles.ofRuntimeImage();
            final DurableGraph visits = durable.restoredEntries() == 0 ? store(durable, files, threads)
                : new DurableGraph(durable.store());
            tell(STORED, 0);
            work(visits, files.count(), threads);
        }
    }

    /**
     * Reads the graph, and makes its chunks durable at the CIDs that they have. Not read into the durable store itself:
     * the graph is turned round edge by edge, and each change of a chunk goes to the log with all of its bytes.
     */
    private static DurableGraph store(DurableStore durable, ClassFiles files, int threads) throws IOException {
        try (Store scratch = Store.open(config().build().store())) {
            final ClassGraph graph = new ClassGraphReader(scratch, files, threads).read();
            scratch.ids().forEach(cid -> {
                final byte[] chunk = new byte[(int) scratch.size(cid)];
                scratch.get(cid, chunk);
                DurableGraph.check(durable.store().ids().createAt(cid, chunk) == Status.OK, "a chunk was refused");
            });
            final DurableGraph stored = new DurableGraph(durable.store());
            stored.note(graph);
            durable.sync();
            return stored;
        }
    }

    /** How the demo opens its store. */
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
            visits.visited(number, count);
            tell(number, count);
        }
    }

    private static void tell(int number, long count) {
        final byte[] told = ByteBuffer.allocate(TOLD_BYTES).putInt(number).putLong(count).array();
        System.out.write(told, 0, told.length);                 // as a whole: shorter than what a pipe cuts
        System.out.flush();
        if (System.out.checkError()) {
            Runtime.getRuntime().halt(1);                       // the parent is gone
        }
    }
}
