package io.teff.cluster.terminal.node;

import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.terminal.node.HealthFile.State;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes the health of a node once a second, on a thread of its own: a disk that hangs stops the beat, and not the
 * node. A file that cannot be written, for instance to a full disk, does not end the node.
 */
final class HealthBeat implements AutoCloseable {
    private static final long PERIOD_MS = 1_000;

    private final ClusterNode node;
    private final Path folder;
    private final System.Logger log;
    private final CountDownLatch isEnded = new CountDownLatch(1);
    private final CountDownLatch isDeleted = new CountDownLatch(1);
    private long beat;
    private boolean wasReady;
    private boolean isWritten = true;

    /** Begins to beat. */
    HealthBeat(ClusterNode node, System.Logger log) {
        this.node = node;
        this.folder = node.settings().folder();
        this.log = log;
        Threads.SYSTEM.start("teff-health", this::run);
    }

    private void run() {
        try {
            do {
                write();
            } while (!isEnded.await(PERIOD_MS, TimeUnit.MILLISECONDS));
            HealthFile.delete(folder);
        } catch (IOException _) {
            return;                                             // a beat that no longer rises says the same
        } catch (InterruptedException _) {
            return;                                             // the thread is never interrupted
        } finally {
            isDeleted.countDown();
        }
    }

    private void write() {
        boolean isReady = node.isReady();
        wasReady |= isReady;
        State state = node.failure() != null ? State.FAILED : isReady ? State.READY
            : wasReady ? State.WAITING : State.STARTING;
        beat++;
        try {
            new HealthFile(ProcessId.current(), state, beat).write(folder);
            isWritten = true;
        } catch (IOException e) {
            if (isWritten) {
                LogKind.NODE_FAILED.log(log, "the health of the node cannot be written: " + FailureText.of(e));
            }
            isWritten = false;
        }
    }

    /** Ends the beats, and waits for a moment until the file is gone; a disk that hangs does not keep the node. */
    @Override
    public void close() {
        isEnded.countDown();
        try {
            boolean _ = isDeleted.await(PERIOD_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            return;                                             // the process ends, and so does the thread
        }
    }
}
