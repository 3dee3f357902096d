package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.KnownTables;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the tables of the cluster in a peer's folder, so that superpeers without their tables can be rebuilt.
 * <pre>
 *  offset 0          8          24            28       32            32 + n   32 + n + m
 *         +----------+----------+-------------+--------+-------------+--------+------+
 *         | "teffT1" | folder   | length n of | length | description | tables | crc  |   file "tables"
 *         |          |          | description | m      | (n)         | (m)    |      |
 *         +----------+----------+-------------+--------+-------------+--------+------+
 * </pre>
 * Little-endian; the tables are written by their schema. With the description of the schema a later version reads the
 * tables by names. The file is written under a temporary name, synced and renamed. The file lags behind the tables by a
 * second or, if the tables are large, by fifty times the time to write the tables; behind the superpeers a little more.
 * If the disk refuses the file, the older file stays. Guarded by its monitor.
 */
final class TablesFile {
    private static final String NAME = "tables";
    private static final String NEW_NAME = "tables.new";
    private static final long MAGIC = 0x315466666574L;          // "teffT1"
    private static final int HEAD_BYTES = 32;
    private static final int FOLDER_AT = 8;
    private static final int LENGTHS_AT = 24;
    private static final int BYTES_MAX = 64 << 20;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(900);
    private static final int PAUSE_FACTOR = 50;
    private static final Schema<KnownTables> TABLES = Schema.of(KnownTables.class);

    private final Disk disk;
    private final Clock clock;
    private final NodeFolder folder;
    private long version;
    private long dueNs;

    private TablesFile(Platform platform, NodeFolder folder, long version) {
        disk = platform.disk();
        clock = platform.clock();
        this.folder = folder;
        this.version = version;
        dueNs = clock.nowNs();
    }

    /** Continues the file of a folder. An unreadable file is written anew: no peer needs the file for its work. */
    static TablesFile open(Platform platform, NodeFolder folder) {
        try {
            final KnownTables known = read(platform.disk(), folder);
            return new TablesFile(platform, folder, known == null ? 0 : known.version());
        } catch (IOException _) {
            return new TablesFile(platform, folder, 0);         // the next tables replace the file
        }
    }

    /**
     * Reads the tables in a folder.
     *
     * @return the tables; null without a file, or if the file is damaged, or not for this version
     * @throws IOException if the folder or the file cannot be read
     */
    static @Nullable KnownTables read(Disk disk, NodeFolder folder) throws IOException {
        if (!disk.list(folder.path()).contains(NAME)) {
            return null;
        }
        final ByteBuffer bytes;
        try (DiskFile file = disk.openToRead(folder.resolve(NAME))) {
            if (file.size() < HEAD_BYTES + Integer.BYTES || file.size() > BYTES_MAX) {
                return null;
            }
            bytes = ByteBuffer.allocate((int) file.size()).order(ByteOrder.LITTLE_ENDIAN);
            file.read(bytes, 0);
        }
        return bytes.hasRemaining() ? null : tables(bytes, folder.id());
    }

    private static @Nullable KnownTables tables(ByteBuffer bytes, UUID folder) {
        final int end = bytes.capacity() - Integer.BYTES;
        final int described = bytes.getInt(LENGTHS_AT);
        final int written = bytes.getInt(LENGTHS_AT + Integer.BYTES);
        if (bytes.getLong(0) != MAGIC || crc(bytes, end) != bytes.getInt(end)
            || !folder.equals(new UUID(bytes.getLong(FOLDER_AT), bytes.getLong(FOLDER_AT + Long.BYTES)))
            || described < 0 || written < 0 || (long) HEAD_BYTES + described + written != end) {
            return null;
        }
        final String description = new String(bytes.array(), HEAD_BYTES, described, StandardCharsets.UTF_8);
        try {
            return TABLES.readerOf(description).read(new Input(bytes.array(), HEAD_BYTES + described, written));
        } catch (SchemaException | MalformedException _) {      // of a later version with a different type
            return null;
        }
    }

    private static int crc(ByteBuffer bytes, int end) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(0).limit(end));
        return (int) crc.getValue();
    }

    /** Returns the version of the tables in the file; 0 without a file. */
    synchronized long version() {
        return version;
    }

    /** Writes the tables if the file has older tables, and was written long enough ago. */
    synchronized void keepSometimes(Tables tables) {
        if (clock.nowNs() - dueNs >= 0) {
            keep(tables);
        }
    }

    /** Writes the tables if the file has older tables. */
    synchronized void keep(Tables tables) {
        final long wanted = tables.version();
        if (wanted <= version) {
            return;
        }
        final long begunNs = clock.nowNs();
        final int sessions = tables.nextSession();
        final List<ZoneRow> zones = tables.zones();             // before the nodes: else nodes of zones may be missing
        final List<NodeRow> nodes = tables.nodes();
        final long highest = Stream.concat(nodes.stream().map(NodeRow::version), zones.stream().map(ZoneRow::version))
            .mapToLong(Long::longValue).max().orElse(0);
        try {
            write(new KnownTables(Math.max(wanted, highest), sessions, nodes, zones));
            version = wanted;
        } catch (IOException _) {
            // the disk is full or fails, as the log reports: the older file stays, and the next look tries again
        }
        dueNs = clock.nowNs() + Math.max(PAUSE_NS, PAUSE_FACTOR * (clock.nowNs() - begunNs));
    }

    private void write(KnownTables tables) throws IOException {
        final byte[] description = TABLES.description().getBytes(StandardCharsets.UTF_8);
        final Output out = Output.growing(1 << 12);
        TABLES.write(tables, out);
        final byte[] written = out.toByteArray();
        final int end = HEAD_BYTES + description.length + written.length;
        final ByteBuffer bytes = ByteBuffer.allocate(end + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putLong(folder.id().getMostSignificantBits())
            .putLong(folder.id().getLeastSignificantBits());
        bytes.putInt(description.length).putInt(written.length).put(description).put(written);
        bytes.putInt(crc(bytes, end)).flip();
        if (disk.list(folder.path()).contains(NEW_NAME)) {
            disk.delete(folder.resolve(NEW_NAME));
        }
        try (DiskFile file = disk.create(folder.resolve(NEW_NAME), bytes.limit())) {
            file.write(bytes, 0);
            file.force();
        }
        disk.rename(folder.resolve(NEW_NAME), folder.resolve(NAME));
        disk.forceFolder(folder.path());
    }
}
