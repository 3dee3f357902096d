package io.teff.cluster.archive;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code manifest} of a backup: a text of lines, the last one with the checksum of all before.
 *
 * @param cluster identity of the cluster
 * @param backup identity of the backup
 * @param base folder of the backup on which this one is based, as it was named; null for a whole backup
 * @param baseId identity of the base; null for a whole backup
 * @param zones the zones, in ascending order
 * @param lost zones of the cluster that are lost, and not part of the backup
 * @param revision last number of the registry of services
 * @param names number of names of services
 * @param servicesCrc checksum of the file with the services
 */
public record Manifest(ClusterId cluster, BackupId backup, @Nullable String base, @Nullable BackupId baseId,
                       List<Zone> zones, List<Integer> lost, long revision, int names, int servicesCrc) {
    static final String FILE = "manifest";
    private static final String FIRST = "teff cluster backup 1";
    private static final String CHECKSUM = "checksum ";
    private static final int BYTES_MAX = 64 << 20;

    /**
     * A zone.
     *
     * @param zone its number
     * @param number number of the last change that the backup has
     * @param chunks number of chunks
     * @param payloadBytes bytes of their contents
     * @param length bytes of the file of the zone
     */
    public record Zone(int zone, long number, long chunks, long payloadBytes, long length) {
        String line() {
            return "zone " + zone + ' ' + HexFormat.of().toHexDigits(number) + ' ' + chunks + ' ' + payloadBytes + ' '
                + length;
        }
    }

    /** Copies the lists. */
    public Manifest {
        zones = List.copyOf(zones);
        lost = List.copyOf(lost);
    }

    static String fileOf(int zone) {
        return "zone-" + zone;
    }

    // ---- text ----

    private String text() {
        final StringBuilder text = new StringBuilder(FIRST).append('\n');
        text.append("cluster ").append(cluster.hex()).append(' ').append(cluster.name()).append('\n');
        text.append("backup ").append(backup.hex()).append('\n');
        if (base != null && baseId != null) {
            text.append("base ").append(baseId.hex()).append(' ').append(base).append('\n');
        }
        zones.forEach(zone -> text.append(zone.line()).append('\n'));
        lost.forEach(zone -> text.append("lost ").append(zone).append('\n'));
        text.append("services ").append(revision).append(' ').append(names).append(' ')
            .append(HexFormat.of().toHexDigits(servicesCrc)).append('\n');
        return text.toString();
    }

    private static String checksum(String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return CHECKSUM + HexFormat.of().toHexDigits(ZoneFileLayout.crc(bytes, 0, bytes.length)) + '\n';
    }

    /** Writes the file under a temporary name, and gives it its name. */
    void write(Disk disk, Path folder) throws IOException {
        final String text = text();
        writeFile(disk, folder.resolve(FILE), (text + checksum(text)).getBytes(StandardCharsets.UTF_8));
    }

    static void writeFile(Disk disk, Path path, byte[] bytes) throws IOException {
        final Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
        deleteIfThere(disk, temporary);
        try (DiskFile file = disk.create(temporary, 0)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.force();
        }
        disk.rename(temporary, path);
    }

    /** Deletes what an earlier process has left. */
    static void deleteIfThere(Disk disk, Path path) throws IOException {
        final Path folder = path.toAbsolutePath().getParent();
        if (folder != null && disk.list(folder).contains(String.valueOf(path.getFileName()))) {
            disk.delete(path);
        }
    }

    static byte[] readFile(Disk disk, Path path, int bytesMax) throws IOException {
        try (DiskFile file = disk.openToRead(path)) {
            final long size = file.size();
            if (size > bytesMax) {
                throw new DamagedBackupException(path, "has " + size + " bytes, too many");
            }
            final ByteBuffer bytes = ByteBuffer.allocate((int) size);
            while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {
                continue;
            }
            return bytes.array();
        } catch (NoSuchFileException _) {
            throw new DamagedBackupException(path, "is missing");
        }
    }

    /** Reads the file of a folder. Throws {@link DamagedBackupException} if it is missing or damaged. */
    static Manifest read(Disk disk, Path folder) throws IOException {
        final Path path = folder.resolve(FILE);
        final String text = new String(readFile(disk, path, BYTES_MAX), StandardCharsets.UTF_8);
        final int end = text.lastIndexOf(CHECKSUM);
        if (!text.startsWith(FIRST + "\n") || end < 0
            || !text.substring(end).equals(checksum(text.substring(0, end)))) {
            throw new DamagedBackupException(path, text.startsWith("teff cluster backup ") && !text.startsWith(FIRST)
                ? "is of a version that this program does not read" : "is damaged or cut");
        }
        try {
            return parse(text.substring(0, end).lines().toList());
        } catch (RuntimeException e) {
            throw new DamagedBackupException(path, "has a line that is none: " + e);
        }
    }

    private static Manifest parse(List<String> lines) {
        ClusterId cluster = ClusterId.NONE;
        BackupId backup = new BackupId(0, 0);
        String base = null;
        BackupId baseId = null;
        final List<Zone> zones = new ArrayList<>();
        final List<Integer> lost = new ArrayList<>();
        long revision = 0;
        int names = 0;
        int crc = 0;
        for (String line : lines.subList(1, lines.size())) {
            final String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "cluster" -> {
                    final BackupId id = BackupId.of(words[1]);
                    cluster = new ClusterId(id.high(), id.low(), words[2]);
                }
                case "backup" -> backup = BackupId.of(words[1]);
                case "base" -> {
                    baseId = BackupId.of(words[1]);
                    base = line.substring("base ".length() + words[1].length() + 1);
                }
                case "zone" -> zones.add(new Zone(Integer.parseInt(words[1]), HexFormat.fromHexDigitsToLong(words[2]),
                    Long.parseLong(words[3]), Long.parseLong(words[4]), Long.parseLong(words[5])));
                case "lost" -> lost.add(Integer.valueOf(words[1]));
                case "services" -> {
                    revision = Long.parseLong(words[1]);
                    names = Integer.parseInt(words[2]);
                    crc = HexFormat.fromHexDigits(words[3]);
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
        return new Manifest(cluster, backup, base, baseId, zones, lost, revision, names, crc);
    }
}
