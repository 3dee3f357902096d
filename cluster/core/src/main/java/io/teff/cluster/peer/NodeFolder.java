package io.teff.cluster.peer;

import io.teff.cluster.cell.ClusterFile;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The data folder of a node, locked against other processes, with an id drawn at the creation of the folder.
 * <pre>
 *  offset 0          8          16         24     28
 *         +----------+----------+----------+------+
 *         | "teffN1" | id, high | id, low  | crc  |     file "node", little-endian
 *         +----------+----------+----------+------+
 * </pre>
 * The file is written under a temporary name, synced, and renamed, so the file is complete or missing. A folder without
 * its log belongs to a new node from then on: the cell counts on the log of the known node. {@link NodeLives} writes
 * the file {@code lives}, {@link TablesFile} the file {@code tables}, {@link ClusterFile} the file {@code cluster}.
 */
final class NodeFolder implements AutoCloseable {
    private static final String NAME = "node";
    private static final String NEW_NAME = "node.new";
    private static final String LOCK = "node.lock";
    /** A log has at least one file with a name that begins with this. */
    private static final String MANIFEST = "manifest";
    private static final long MAGIC = 0x314E66666574L;          // "teffN1"
    private static final int BYTES = 28;

    private final Path path;
    private final DiskLock lock;
    private final UUID id;
    private final NodeLives lives;
    private final Disk disk;
    private ClusterId cluster;

    private NodeFolder(Disk disk, Path path, DiskLock lock, UUID id, NodeLives lives, ClusterId cluster) {
        this.disk = disk;
        this.cluster = cluster;
        this.path = path;
        this.lock = lock;
        this.id = id;
        this.lives = lives;
    }

    /**
     * Locks a folder; creates a missing folder.
     *
     * @throws IOException if a process uses the folder, or the folder cannot be read or written
     */
    static NodeFolder open(Platform platform, Path path) throws IOException {
        return open(platform, path, null);
    }

    /**
     * Locks a folder with a log; creates a missing folder.
     *
     * @param log name of the log's folder in this folder; null if the log is elsewhere
     * @throws IOException if a process uses the folder, or the folder cannot be read or written
     */
    static NodeFolder open(Platform platform, Path path, @Nullable String log) throws IOException {
        final Disk disk = platform.disk();
        final DiskLock lock = lock(disk, path);
        try {
            if (disk.list(path).contains(NAME) && log != null && !hasLog(disk, path, log)) {
                disk.delete(path.resolve(NAME));
            }
            final UUID id = disk.list(path).contains(NAME) ? read(disk, path) : create(platform, path);
            lock.check();
            return new NodeFolder(disk, path, lock, id, NodeLives.open(disk, path, id),
                ClusterFile.read(disk, path));
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** Locks a folder; creates a missing folder. */
    static DiskLock lock(Disk disk, Path path) throws IOException {
        disk.createSyncedFolders(path);
        return disk.lock(path.resolve(LOCK), "a node in process " + ProcessHandle.current().pid());
    }

    /** Returns whether a folder belongs to a node after the first join, and has the log. */
    static boolean isUsed(Disk disk, Path path, String log) throws IOException {
        return disk.list(path).containsAll(List.of(NAME, NodeLives.NAME)) && hasLog(disk, path, log);
    }

    private static boolean hasLog(Disk disk, Path path, String log) throws IOException {
        return disk.list(path).contains(log)
            && disk.list(path.resolve(log)).stream().anyMatch(name -> name.startsWith(MANIFEST));
    }

    private static UUID create(Platform platform, Path path) throws IOException {
        final Disk disk = platform.disk();
        final UUID id = new UUID(platform.chance().nextLong(), platform.chance().nextLong());
        if (disk.list(path).contains(NEW_NAME)) {
            disk.delete(path.resolve(NEW_NAME));
        }
        final ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        bytes.putInt(crc(bytes)).flip();
        try (DiskFile file = disk.create(path.resolve(NEW_NAME), BYTES)) {
            file.write(bytes, 0);
            file.force();
        }
        disk.rename(path.resolve(NEW_NAME), path.resolve(NAME));
        disk.forceFolder(path);
        return id;
    }

    private static UUID read(Disk disk, Path path) throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (DiskFile file = disk.openToRead(path.resolve(NAME))) {
            file.read(bytes, 0);
        }
        if (bytes.position() == BYTES) {
            bytes.position(BYTES - Integer.BYTES);
            final int crc = crc(bytes);
            bytes.rewind();
            if (bytes.getLong() == MAGIC && bytes.getInt(BYTES - Integer.BYTES) == crc) {
                return new UUID(bytes.getLong(), bytes.getLong());
            }
        }
        throw new IOException(path.resolve(NAME) + " is damaged: the node's id cannot be read");
    }

    /** Returns the checksum of the bytes in front of the position. */
    private static int crc(ByteBuffer bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().flip());
        return (int) crc.getValue();
    }

    /** Returns the id of the folder. */
    UUID id() {
        return id;
    }

    /** Returns the cluster of the folder; unknown before the first join. */
    ClusterId cluster() {
        return cluster;
    }

    /**
     * Checks that the folder may belong to a named cluster.
     *
     * @throws IOException if the folder belongs to another cluster
     */
    void check(String name) throws IOException {
        final ClusterId expected = ClusterId.expected(name);
        if (!cluster.fits(expected)) {
            throw new IOException("the folder " + path + " belongs to " + cluster + ", expected " + expected);
        }
    }

    /**
     * Makes the folder a folder of a cluster. No effect if the folder is the cluster's already, or the cluster is
     * unknown.
     *
     * @throws IOException if the folder belongs to another cluster, or cannot be written
     */
    void joined(ClusterId its) throws IOException {
        if (!cluster.fits(its)) {
            throw new IOException("the folder " + path + " belongs to " + cluster + ", not to " + its);
        }
        if (its.isKnown() && !cluster.isKnown()) {
            ClusterFile.write(disk, path, its);
            cluster = its;
        }
    }

    /** Returns the known lives of this node. */
    NodeLives lives() {
        return lives;
    }

    /** Returns the folder. */
    Path path() {
        return path;
    }

    /** Returns the path of a file or folder in this folder. */
    Path resolve(String name) {
        return path.resolve(name);
    }

    /** Unlocks the folder. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
