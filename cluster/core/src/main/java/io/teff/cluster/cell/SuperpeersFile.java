package io.teff.cluster.cell;

import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerRow.Standing;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The file of a node's data folder that names the superpeers which the node has seen last. A node whose configuration
 * has old addresses finds the superpeers by this file. No node needs the file: a damaged file counts as no file.
 * <pre>
 *  teff superpeers 1
 *  version 57 next 4                       version of the tables, number of the next new superpeer
 *  0 COUNTING tcp:10.0.0.1:7400            a line for each superpeer
 *  2 COUNTING tcp:10.0.0.3:7400
 *  3 ENTERING tcp:10.0.0.4:7400
 *  crc32c 5f01c3aa                         of all bytes in front of this line
 * </pre>
 * The text is UTF-8. The file is written under a temporary name, synced, and renamed, so the file is complete or
 * missing.
 */
public final class SuperpeersFile {
    private static final String NAME = "superpeers";
    private static final String NEW_NAME = "superpeers.new";
    private static final String TITLE = "teff superpeers 1";
    private static final int BYTES_MAX = 1 << 16;
    private static final int FIELDS = 3;

    private SuperpeersFile() {}

    /**
     * Reads the superpeers of a folder.
     *
     * @param disk of the folder
     * @param folder an existing folder
     * @return the superpeers; without superpeers if there is no file, or the file is damaged
     */
    public static SuperpeerSet read(Disk disk, Path folder) {
        try {
            if (!disk.list(folder).contains(NAME)) {
                return SuperpeerSet.NONE;
            }
            try (DiskFile file = disk.openToRead(folder.resolve(NAME))) {
                final ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), BYTES_MAX));
                file.read(bytes, 0);
                return set(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
            }
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException _) {
            return SuperpeerSet.NONE;
        }
    }

    private static SuperpeerSet set(String text) {
        final int end = text.lastIndexOf("crc32c ");
        final List<String> lines = text.substring(0, end).lines().toList();
        if (!text.equals(seal(text.substring(0, end))) || !lines.getFirst().equals(TITLE)) {
            return SuperpeerSet.NONE;
        }
        final String[] head = lines.get(1).split(" ");
        final List<SuperpeerRow> rows = new ArrayList<>();
        for (String line : lines.subList(2, lines.size())) {
            final String[] fields = line.split(" ", FIELDS);
            rows.add(new SuperpeerRow(Integer.parseInt(fields[0]), fields[2], Standing.valueOf(fields[1])));
        }
        return new SuperpeerSet(Long.parseLong(head[1]), rows, Integer.parseInt(head[FIELDS]));
    }

    private static String seal(String text) {
        final CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return text + "crc32c " + Long.toHexString(crc.getValue()) + '\n';
    }

    /**
     * Writes the superpeers of a folder.
     *
     * @param disk of the folder
     * @param folder an existing folder
     * @param set the superpeers
     * @throws IOException if the file cannot be written; the earlier file is left
     */
    public static void write(Disk disk, Path folder, SuperpeerSet set) throws IOException {
        final StringBuilder text = new StringBuilder(TITLE).append('\n');
        text.append("version ").append(set.version()).append(" next ").append(set.next()).append('\n');
        for (SuperpeerRow row : set.rows()) {
            text.append(row.number()).append(' ').append(row.standing()).append(' ').append(row.address()).append('\n');
        }
        final byte[] bytes = seal(text.toString()).getBytes(StandardCharsets.UTF_8);
        if (disk.list(folder).contains(NEW_NAME)) {
            disk.delete(folder.resolve(NEW_NAME));
        }
        try (DiskFile file = disk.create(folder.resolve(NEW_NAME), bytes.length)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.force();
        }
        disk.rename(folder.resolve(NEW_NAME), folder.resolve(NAME));
        disk.forceFolder(folder);
    }
}
