package io.teff.cluster.node;

import io.teff.cluster.meta.FolderReport;
import io.teff.cluster.peer.PeerConfig;
import io.teff.cluster.peer.PeerFolder;
import io.teff.cluster.raft.RaftLog;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.Platform;
import io.teff.engine.os.PrivateFolder;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Looks at the data folders of nodes. Most nodes do not run meanwhile. */
public final class NodeDisks {
    /** The metadata of a superpeer on disk. */
    public enum Metadata {
        /** The whole log. */
        WHOLE,
        /** Nothing, or the log of a superpeer that has no vote yet. */
        NONE,
        /** The log cannot be read. */
        DAMAGED
    }

    private NodeDisks() {}

    /**
     * Looks at the folder of a superpeer. The superpeer may run. Changes nothing.
     *
     * @param superpeer configuration of the superpeer
     * @return completeness of the superpeer's metadata
     */
    public static Metadata metadata(NodeConfig superpeer) {
        try {
            final Path cell = superpeer.folder().resolve(SuperpeerFolder.CELL);
            return RaftLog.isVoter(Disk.SYSTEM, cell) ? Metadata.WHOLE : Metadata.NONE;
        } catch (IOException _) {
            return Metadata.DAMAGED;
        }
    }

    /**
     * Prepares the empty folder of a superpeer for a rebuild of the metadata: the superpeer answers no node or client
     * until the metadata have arrived.
     *
     * @param superpeer configuration of the superpeer
     * @throws IOException if the folder cannot be written
     */
    public static void beginRebuild(NodeConfig superpeer) throws IOException {
        PrivateFolder.make(superpeer.folder());
        try (DiskFile mark = Disk.SYSTEM.create(superpeer.folder().resolve(SuperpeerFolder.REBUILD), 1)) {
            mark.force();
        }
        Disk.SYSTEM.forceFolder(superpeer.folder());
    }

    /**
     * Removes the mark of a rebuild from the folder of a stopped superpeer, because the metadata are rebuilt.
     *
     * @param superpeer configuration of the superpeer
     * @throws IOException if the folder cannot be written
     */
    public static void endRebuild(NodeConfig superpeer) throws IOException {
        Disk.SYSTEM.delete(superpeer.folder().resolve(SuperpeerFolder.REBUILD));
        Disk.SYSTEM.forceFolder(superpeer.folder());
    }

    /**
     * Returns whether a peer has a log, so that the folder of the peer has been part of a cluster.
     *
     * @param peer configuration of the peer
     * @return whether the peer has a log
     * @throws IOException if the folder cannot be read
     */
    public static boolean hasLog(NodeConfig peer) throws IOException {
        return PeerFolder.isUsed(peer.folder());
    }

    /**
     * Reads the content of a peer's folder: see {@link PeerFolder#read}.
     *
     * @param peer configuration of the peer
     * @return content of the folder; null if the folder has no log
     * @throws LockedException if a process uses the folder
     * @throws IOException if the folder cannot be read
     * @throws StoreException if the log cannot be opened
     */
    public static @Nullable FolderReport read(NodeConfig peer) throws IOException {
        return PeerFolder.read(peer.folder(), peer.name(), logBytes(peer), Platform.SYSTEM);
    }

    /** Returns the bytes of the write buffer of a peer's log. */
    static int logBytes(NodeConfig peer) {
        return Math.max((int) peer.peer().ringBytes(), PeerConfig.LOG_BYTES_MIN);
    }
}
