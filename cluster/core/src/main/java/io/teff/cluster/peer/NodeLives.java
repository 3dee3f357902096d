package io.teff.cluster.peer;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Says whether the log in a node's folder may have lost its end: if the machine was started anew since a life without a
 * closed log, or if the log has failed. At the end of a process the content of the write buffer survives. A power cut
 * takes the content. Changes refused by a sync of the device may be lost, too.
 * <pre>
 *  offset 0          8        24        40            44             48      52              84    88
 *         +----------+--------+---------+-------------+--------------+-------+---------------+-----+
 *         | "teffL2" | folder | boot of | last        | last         | flags | first and     | crc |   file "lives"
 *         |          |        | the     | incarnation | incarnation  |       | last missing  |     |
 *         |          |        | last    |             | that was cut |       | life, 4 times |     |
 *         +----------+--------+---------+-------------+--------------+-------+---------------+-----+
 * </pre>
 * Little-endian; flag 1: the log was closed, flag 2: the boot is known. The file is written under another name, synced
 * and renamed before a life takes the first change. Without the file, all earlier lives may have been cut.
 *
 * <p><b>Missing lives.</b> If the superpeers skip numbers, this folder has not had the skipped lives: the folder is an
 * older copy of itself, or a life ended before its first change. Copies of zones with which rows name a missing life
 * are not in this folder. With more than four stretches of missing lives the first two count as one stretch.
 *
 * <p>Superpeers number the lives of a folder. So a number not above the last number comes from superpeers of a
 * different cluster, or from superpeers without their data. Numbers of such zones and copies may collide with the
 * numbers of copies in the log. Guarded by its monitor.
 */
final class NodeLives {
    static final String NAME = "lives";
    private static final String NEW_NAME = "lives.new";
    private static final long MAGIC = 0x324C66666574L;          // "teffL2"
    private static final int STRETCHES = 4;
    private static final int MISSING_AT = 52;
    private static final int BYTES = MISSING_AT + STRETCHES * 2 * Integer.BYTES + Integer.BYTES;
    private static final int CLOSED = 1;
    private static final int BOOT_KNOWN = 2;

    private final Disk disk;
    private final Path path;
    private final UUID folder;
    private final @Nullable UUID boot;
    private int last;
    private int cut;
    /** Stretches of missing lives, in ascending order. */
    private final List<Missing> missing;

    /** Lives that this folder has not had. */
    private record Missing(int first, int last) {}

    private NodeLives(Disk disk, Path path, UUID folder, int last, int cut, List<Missing> missing) {
        this.missing = new ArrayList<>(missing);
        this.disk = disk;
        this.path = path;
        this.folder = folder;
        this.last = last;
        this.cut = cut;
        boot = disk.boot();
    }

    /**
     * Reads the file of a folder.
     *
     * @param disk access to the files
     * @param path the folder
     * @param folder id of the folder
     * @throws IOException if the folder cannot be read
     */
    static NodeLives open(Disk disk, Path path, UUID folder) throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (disk.list(path).contains(NAME)) {
            try (DiskFile file = disk.openToRead(path.resolve(NAME))) {
                file.read(bytes, 0);
            }
        }
        if (bytes.position() < BYTES || crc(bytes) != bytes.getInt(BYTES - Integer.BYTES)
            || bytes.getLong(0) != MAGIC || !folder.equals(new UUID(bytes.getLong(8), bytes.getLong(16)))) {
            return new NodeLives(disk, path, folder, 0, Integer.MAX_VALUE, List.of());
        }
        final int last = bytes.getInt(40);
        final int flags = bytes.getInt(48);
        final boolean isSameBoot = (flags & BOOT_KNOWN) != 0
            && new UUID(bytes.getLong(24), bytes.getLong(32)).equals(disk.boot());
        return new NodeLives(disk, path, folder, last, (flags & CLOSED) != 0 || isSameBoot ? bytes.getInt(44) : last,
            missing(bytes));
    }

    private static List<Missing> missing(ByteBuffer bytes) {
        final List<Missing> missing = new ArrayList<>();
        for (int at = MISSING_AT; at < BYTES - Integer.BYTES; at += 2 * Integer.BYTES) {
            if (bytes.getInt(at) > 0) {
                missing.add(new Missing(bytes.getInt(at), bytes.getInt(at + Integer.BYTES)));
            }
        }
        return missing;
    }

    private static int crc(ByteBuffer bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(0).limit(BYTES - Integer.BYTES));
        return (int) crc.getValue();
    }

    /** Returns the number of the last life with a lost end of its changes, perhaps; 0 without such a life. */
    synchronized int cutIncarnation() {
        return cut;
    }

    /** Returns the number of the last life; 0 if unknown. */
    synchronized int last() {
        return last;
    }

    /** Returns whether the folder has had a life, as far as known. */
    synchronized boolean hasLived(int incarnation) {
        return missing.stream().noneMatch(it -> it.first <= incarnation && incarnation <= it.last);
    }

    /**
     * Notes that a life has joined, before it takes a change.
     *
     * @throws IOException if the superpeers do not know the earlier lives of this folder, or the note cannot be written
     */
    synchronized void begins(int incarnation) throws IOException {
        if (incarnation <= last) {                              // the copies are not of these zones
            throw new IOException("the superpeers call this life of the folder number " + incarnation
                + ", and it has had " + last + ": they belong to another cluster, or have lost their data. Start this"
                + " node with the superpeers of its folder, or with an empty folder; if the disks of the superpeers are"
                + " lost, their data can be made again from the folders of the peers: ./teff cluster rebuild");
        }
        if (last > 0 && incarnation > last + 1) {
            missing.add(new Missing(last + 1, incarnation - 1));
        }
        while (missing.size() > STRETCHES) {
            missing.addFirst(new Missing(missing.removeFirst().first, missing.removeFirst().last));
        }
        cut = Math.min(cut, incarnation - 1);
        last = incarnation;
        write(0);
    }

    /** Notes that the log was closed: nothing can be lost. */
    synchronized void closed() throws IOException {
        if (last > 0) {
            write(CLOSED);
        }
    }

    /**
     * Notes that the log of the last life has failed: the device may have lost the changes of a refused sync, although
     * the machine runs on.
     */
    synchronized void failed() throws IOException {
        if (last > 0) {
            cut = last;
            write(0);
        }
    }

    private void write(int flags) throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putLong(folder.getMostSignificantBits()).putLong(folder.getLeastSignificantBits());
        bytes.putLong(boot == null ? 0 : boot.getMostSignificantBits());
        bytes.putLong(boot == null ? 0 : boot.getLeastSignificantBits());
        bytes.putInt(last).putInt(cut).putInt(flags | (boot == null ? 0 : BOOT_KNOWN));
        for (Missing each : missing) {
            bytes.putInt(each.first).putInt(each.last);
        }
        bytes.position(BYTES - Integer.BYTES).putInt(crc(bytes)).flip();
        if (disk.list(path).contains(NEW_NAME)) {
            disk.delete(path.resolve(NEW_NAME));
        }
        try (DiskFile file = disk.create(path.resolve(NEW_NAME), BYTES)) {
            file.write(bytes, 0);
            file.force();
        }
        disk.rename(path.resolve(NEW_NAME), path.resolve(NAME));
        disk.forceFolder(path);
    }
}
