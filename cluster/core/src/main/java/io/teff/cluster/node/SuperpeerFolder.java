package io.teff.cluster.node;

import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.cell.ClusterFile;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The data folder of a superpeer, locked by this process. The cell's log and snapshots are in folder {@code cell}. File
 * {@code rebuild} marks that the metadata of the cell are to be rebuilt. {@link ClusterFile} is the file
 * {@code cluster}.
 */
final class SuperpeerFolder implements AutoCloseable {
    static final String CELL = "cell";
    static final String REBUILD = "rebuild";
    private static final String LOCK_FILE = "node.lock";

    private final Path path;
    private final DiskLock lock;
    private final ClusterId cluster;

    private SuperpeerFolder(Path path, DiskLock lock, ClusterId cluster) {
        this.cluster = cluster;
        this.path = path;
        this.lock = lock;
    }

    static SuperpeerFolder open(NodeConfig config) throws NodeStartException {
        Path path = config.folder();
        try {
            Disk.SYSTEM.createSyncedFolders(path);
            DiskLock lock = Disk.SYSTEM.lock(path.resolve(LOCK_FILE), config.name() + ", process "
                + ProcessHandle.current().pid());
            SuperpeerFolder folder = null;
            try {
                folder = new SuperpeerFolder(path, lock, cluster(path, config.cluster()));
                return folder;
            } finally {
                if (folder == null) {
                    lock.close();
                }
            }
        } catch (LockedException e) {
            throw new NodeStartException("the folder " + path + " is in use: " + FailureText.of(e), e);
        } catch (IOException e) {
            throw new NodeStartException("the folder " + path + " cannot be used: " + FailureText.of(e), e);
        }
    }

    private static ClusterId cluster(Path path, String name) throws IOException {
        ClusterId known = ClusterFile.read(Disk.SYSTEM, path);
        ClusterId expected = ClusterId.expected(name);
        if (!known.fits(expected)) {
            throw new IOException("it belongs to " + known + ", expected " + expected);
        }
        return known.isKnown() ? known : expected;
    }

    /** Returns the cluster of the folder; only the expected name before the cluster is founded. */
    ClusterId cluster() {
        return cluster;
    }

    /** Makes the folder a folder of a cluster. If the disk refuses, the next start tries again. */
    void joined(ClusterId its, NodeLog log) {
        try {
            ClusterFile.write(Disk.SYSTEM, path, its);
        } catch (IOException e) {
            log.log(NodeEvent.FAULT, "the folder " + path + " cannot note its cluster: " + FailureText.of(e));
        }
    }

    Path cell() {
        return path.resolve(CELL);
    }

    /** Returns whether the metadata of the cell are to be rebuilt. */
    boolean isRebuilding() {
        return Files.exists(path.resolve(REBUILD));
    }

    /** Returns the bytes of all readable files. */
    long bytes() {
        try (Stream<Path> files = Files.walk(path)) {
            return files.mapToLong(SuperpeerFolder::bytes).sum();
        } catch (IOException | UncheckedIOException _) {
            return 0;                                           // files come and go meanwhile
        }
    }

    private static long bytes(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException _) {
            return 0;
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException _) {
            return;                                             // the end of the process releases the lock
        }
    }
}
