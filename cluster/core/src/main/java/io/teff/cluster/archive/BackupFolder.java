package io.teff.cluster.archive;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A finished backup in a folder, and the backups on which it is based. Thread-safe. */
public final class BackupFolder {
    private static final int BASES_MAX = 1_000;

    private final Disk disk;
    private final List<Path> folders;
    private final List<Manifest> manifests;

    private BackupFolder(Disk disk, List<Path> folders, List<Manifest> manifests) {
        this.disk = disk;
        this.folders = folders;
        this.manifests = manifests;
    }

    /**
     * Reads the manifests of a backup and of its bases.
     *
     * @param disk has the folders
     * @param folder folder of the backup
     * @return the backup
     * @throws IOException if a manifest is missing, damaged, or of another backup
     */
    public static BackupFolder open(Disk disk, Path folder) throws IOException {
        final List<Path> folders = new ArrayList<>();
        final List<Manifest> manifests = new ArrayList<>();
        Path next = folder.toAbsolutePath().normalize();
        BackupId expected = null;
        while (next != null) {
            final Manifest manifest = Manifest.read(disk, next);
            if (expected != null && !manifest.backup().equals(expected)) {
                throw new DamagedBackupException(next, "is backup " + manifest.backup().hex() + ", and "
                    + folders.getLast() + " is based on backup " + expected.hex());
            }
            if (!manifests.isEmpty() && !manifest.cluster().isSame(manifests.getLast().cluster())) {
                throw new DamagedBackupException(next, "is of " + manifest.cluster());
            }
            folders.add(next);
            manifests.add(manifest);
            final String base = manifest.base();
            expected = manifest.baseId();
            if (folders.size() > BASES_MAX) {
                throw new DamagedBackupException(next, "is based on more than " + BASES_MAX + " backups");
            }
            next = base == null ? null : next.resolve(base).normalize();
        }
        return new BackupFolder(disk, List.copyOf(folders), List.copyOf(manifests));
    }

    /** {@return the manifest of the backup} */
    public Manifest manifest() {
        return manifests.getFirst();
    }

    /** {@return the folder of the backup} */
    public Path folder() {
        return folders.getFirst();
    }

    /** Opens a zone; null if the backup does not have it. */
    @Nullable ZoneChain zone(int zone) throws IOException {
        final List<ZoneFileReader> files = new ArrayList<>();
        boolean isOpen = false;
        try {
            for (int i = 0; i < folders.size(); i++) {
                final Manifest.Zone row = row(manifests.get(i), zone);
                if (row == null) {
                    break;
                }
                final Path path = folders.get(i).resolve(Manifest.fileOf(zone));
                final ZoneFileReader file = ZoneFileReader.open(disk, path, manifests.get(i).cluster(),
                    manifests.get(i).backup(), zone);
                files.add(file);
                if (file.length() != row.length() || file.number() != row.number()) {
                    throw new DamagedBackupException(path, "is not the file that the manifest names: it has "
                        + file.length() + " bytes, not " + row.length());
                }
            }
            isOpen = true;
            return files.isEmpty() ? null : new ZoneChain(files);
        } finally {
            if (!isOpen) {
                new ZoneChain(files).close();
            }
        }
    }

    /**
     * Passes a zone on, as it was at the cut.
     *
     * @param zone number of the zone
     * @param to takes chunks, removals and reservations
     * @throws IOException if a file is missing or damaged
     */
    public void read(int zone, ChunkRestorer to) throws IOException {
        try (ZoneChain chain = zone(zone)) {
            if (chain == null) {
                return;
            }
            for (long cid : chain.newest().removed()) {
                to.removed(cid);
            }
            for (int row = 0; row < chain.newest().rows(); row++) {
                final EntryBytes entries = chain.entriesOf(row);
                while (entries.next()) {
                    if (entries.kind() == Journal.RESERVED) {
                        to.reserved(entries.cid());
                    } else {
                        to.put(entries.cid(), entries.kind() == Journal.PUT_READ_ONLY, entries.memory(),
                            entries.contentAt(), entries.length());
                    }
                }
            }
        }
    }

    private static Manifest.@Nullable Zone row(Manifest of, int zone) {
        return of.zones().stream().filter(row -> row.zone() == zone).findFirst().orElse(null);
    }

    /**
     * {@return the names of services}
     *
     * @throws IOException if the file is missing or damaged
     */
    public List<ServicesFile.Name> services() throws IOException {
        final Path path = folder().resolve(ServicesFile.FILE);
        final byte[] bytes = Manifest.readFile(disk, path, ServicesFile.BYTES_MAX);
        final List<ServicesFile.Name> names = ZoneFileLayout.crc(bytes, 0, bytes.length) != manifest().servicesCrc()
            ? null : ServicesFile.read(bytes);
        if (names == null || names.size() != manifest().names()) {
            throw new DamagedBackupException(path, "is damaged or cut");
        }
        return names;
    }
}
