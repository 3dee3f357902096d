package io.teff.cluster.peer;

import io.teff.cluster.meta.FolderReport;
import io.teff.cluster.meta.FolderReport.CopyReport;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Disk;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.Platform;
import io.teff.recovery.backup.BackupConfig;
import io.teff.recovery.backup.BackupLog;
import io.teff.recovery.backup.ZoneCopy;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what the data folder of a peer holds that does not run. */
public final class PeerFolder {
    private PeerFolder() {}

    /**
     * Returns whether a folder has the log of a peer.
     *
     * @param path the folder; may be missing
     * @return whether it has one
     * @throws IOException if the folder cannot be read
     */
    public static boolean isUsed(Path path) throws IOException {
        try {
            return NodeFolder.isUsed(Disk.SYSTEM, path, Peer.LOG);
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /**
     * Reads a folder. The log is opened as its peer does, which brings it into order after a kill; nothing else is
     * changed.
     *
     * @param path the folder
     * @param name name of the peer, for people
     * @param logBytes bytes of the write buffer of the log, as the peer's configuration says
     * @param platform the disk, and threads of the log
     * @return what it holds; null if the folder has no log of a peer
     * @throws LockedException if a process uses the folder
     * @throws IOException if the folder cannot be read
     * @throws StoreException if the log cannot be opened
     */
    public static @Nullable FolderReport read(Path path, String name, int logBytes, Platform platform)
            throws IOException {
        if (!isUsed(path)) {
            return null;
        }
        try (NodeFolder folder = NodeFolder.open(platform, path, Peer.LOG);
             BackupLog log = BackupLog.open(folder.resolve(Peer.LOG), BackupConfig.builder()
                 .writeBufferBytes(logBytes).platform(platform).build())) {
            return new FolderReport(name, folder.id(), folder.cluster(), folder.lives().last(), copies(log),
                TablesFile.read(platform.disk(), folder));
        }
    }

    private static List<CopyReport> copies(BackupLog log) {
        final Map<ZoneCopy, Long> known = log.copies();
        final Set<ZoneCopy> damaged = log.damage().keySet();
        final Set<ZoneCopy> all = new HashSet<>(known.keySet());
        all.addAll(damaged);
        final List<CopyReport> copies = new ArrayList<>();
        for (ZoneCopy copy : all) {
            copies.add(new CopyReport(copy.zone(), copy.copy(), known.getOrDefault(copy, 0L), damaged.contains(copy)));
        }
        return copies;
    }
}
