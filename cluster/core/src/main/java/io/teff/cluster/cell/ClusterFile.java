package io.teff.cluster.cell;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The file of a node's data folder that names the cluster of the folder.
 * <pre>
 *  offset 0          8          16         24         56     60
 *         +----------+----------+----------+----------+------+
 *         | "teffC1" | id, high | id, low  | name     | crc  |     file "cluster", little-endian
 *         +----------+----------+----------+----------+------+
 * </pre>
 * The name is followed by zeros. The file is written under a temporary name, synced, and renamed, so the file is
 * complete or missing. A folder without the file belongs to no cluster yet. Once written, the file never changes.
 */
public final class ClusterFile {
    private static final String NAME = "cluster";
    private static final String NEW_NAME = "cluster.new";
    private static final long MAGIC = 0x314366666574L;          // "teffC1"
    private static final int NAME_AT = 24;
    private static final int CRC_AT = NAME_AT + ClusterId.NAME_MAX;
    private static final int BYTES = CRC_AT + Integer.BYTES;

    private ClusterFile() {}

    /**
     * Reads the cluster of a folder.
     *
     * @param disk of the folder
     * @param folder an existing folder
     * @return the cluster; unknown if the folder belongs to no cluster yet
     * @throws IOException if the folder or the file cannot be read, or the file is damaged
     */
    public static ClusterId read(Disk disk, Path folder) throws IOException {
        if (!disk.list(folder).contains(NAME)) {
            return ClusterId.NONE;
        }
        final ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (DiskFile file = disk.openToRead(folder.resolve(NAME))) {
            file.read(bytes, 0);
        }
        if (bytes.position() == BYTES && bytes.getLong(0) == MAGIC && bytes.getInt(CRC_AT) == crc(bytes)) {
            final String name = new String(bytes.array(), NAME_AT, ClusterId.NAME_MAX, StandardCharsets.US_ASCII);
            return new ClusterId(bytes.getLong(Long.BYTES), bytes.getLong(2 * Long.BYTES), name.replace("\0", ""));
        }
        throw new IOException(folder.resolve(NAME) + " is damaged: the cluster of this folder cannot be read");
    }

    /**
     * Writes the cluster of a folder without a cluster.
     *
     * @param disk of the folder
     * @param folder an existing folder
     * @param cluster the cluster, with a known id
     * @throws IOException if the file cannot be written
     */
    public static void write(Disk disk, Path folder, ClusterId cluster) throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putLong(cluster.high()).putLong(cluster.low()).put(cluster.nameBytes());
        bytes.putInt(crc(bytes)).flip();
        if (disk.list(folder).contains(NEW_NAME)) {
            disk.delete(folder.resolve(NEW_NAME));
        }
        try (DiskFile file = disk.create(folder.resolve(NEW_NAME), BYTES)) {
            file.write(bytes, 0);
            file.force();
        }
        disk.rename(folder.resolve(NEW_NAME), folder.resolve(NAME));
        disk.forceFolder(folder);
    }

    private static int crc(ByteBuffer bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, CRC_AT);
        return (int) crc.getValue();
    }
}
