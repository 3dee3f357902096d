package io.teff.cluster.archive;

import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Disk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a backup of a running cluster, zone by zone. The files arise in a folder with the ending {@code .unfinished},
 * which gets its name at the end. A backup that was stopped goes on with the zones that have no file yet. For one
 * thread.
 */
public final class BackupTaking implements Closeable {
    /** A zone is read anew so often if its owner changes, or changes come faster than they are read. */
    private static final int ATTEMPTS = 50;
    private static final String UNFINISHED = ".unfinished";
    private static final String BEGUN = "begun";
    private static final String LOCK = "lock";
    private static final String PARTS = "parts";
    private static final int PARTS_BYTES_MAX = 1 << 30;
    /** So often zones are read again because a part of theirs was split meanwhile. */
    private static final int ROUNDS = 20;

    private final Disk disk;
    private final ZoneLink link;
    private final Path folder;
    private final Path work;
    private final Consumer<Progress> progress;
    private final ClusterId cluster;
    private final @Nullable BackupFolder base;
    private final BackupId backup;
    private final Closeable lock;
    private final NavigableMap<Integer, Manifest.Zone> taken = new TreeMap<>();
    private long chunks;
    private long bytes;

    private BackupTaking(Disk disk, ZoneLink link, Path folder, @Nullable BackupFolder base, BackupId fresh,
                         Consumer<Progress> progress) throws IOException {
        this.disk = disk;
        this.link = link;
        this.folder = folder.toAbsolutePath().normalize();
        this.base = base;
        this.progress = progress;
        cluster = link.cluster();
        work = this.folder.resolveSibling(this.folder.getFileName() + UNFINISHED);
        if (base != null && !base.manifest().cluster().isSame(cluster)) {
            throw new IOException("backup " + base.folder() + " is of " + base.manifest().cluster() + ", not of "
                + cluster);
        }
        requireAbsent(disk, this.folder);
        disk.createSyncedFolders(work);
        lock = disk.lock(work.resolve(LOCK), "a backup");
        boolean isBegun = false;
        try {
            backup = begin(fresh);
            isBegun = true;
        } finally {
            if (!isBegun) {
                lock.close();
            }
        }
    }

    /**
     * Begins a backup, or goes on with a backup that was stopped.
     *
     * @param disk has the folders
     * @param link the cluster
     * @param folder folder of the backup, which must not exist
     * @param base an earlier backup of the cluster; null for a whole backup
     * @param fresh random numbers for a new backup
     * @param progress receives the progress of the backup
     * @return the backup, to be closed
     * @throws IOException if the folder exists, or belongs to another unfinished backup
     */
    public static BackupTaking begin(Disk disk, ZoneLink link, Path folder, @Nullable BackupFolder base,
                                     BackupId fresh, Consumer<Progress> progress) throws IOException {
        return new BackupTaking(disk, link, folder, base, fresh, progress);
    }

    /**
     * Refuses a name that exists.
     *
     * @param disk has the folders
     * @param folder the name
     * @throws IOException if it exists
     */
    public static void requireAbsent(Disk disk, Path folder) throws IOException {
        final Path parent = folder.toAbsolutePath().getParent();
        if (parent == null || exists(disk, parent) && disk.list(parent).contains(
            String.valueOf(folder.getFileName()))) {
            throw new FileAlreadyExistsException(folder.toString(), null, "exists already: nothing is overwritten");
        }
    }

    private static boolean exists(Disk disk, Path path) {
        try {
            disk.list(path);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * Renames a folder; afterwards the name survives a power cut.
     *
     * @param disk has the folders
     * @param from the folder
     * @param to its name, which does not exist
     * @throws IOException if the disk refuses
     */
    public static void rename(Disk disk, Path from, Path to) throws IOException {
        requireAbsent(disk, to);
        disk.rename(from, to);
        disk.forceFolder(Objects.requireNonNull(to.toAbsolutePath().getParent()));
    }

    /** Returns the identity of the backup: that of the stopped backup, or a fresh one. */
    private BackupId begin(BackupId fresh) throws IOException {
        final String of = line(cluster, base == null ? null : base.manifest().backup());
        final String text = begun();
        if (text == null) {
            Manifest.writeFile(disk, work.resolve(BEGUN), (of + fresh.hex()).getBytes(StandardCharsets.UTF_8));
            return fresh;
        }
        if (!text.startsWith(of)) {
            throw new IOException(work + " is an unfinished backup of another cluster, or on another base: delete it, "
                + "or name another folder");
        }
        return BackupId.of(text.substring(of.length()));
    }

    /** Returns the line of the stopped backup; null without such a backup. */
    private @Nullable String begun() throws IOException {
        final List<String> names = disk.list(work);
        if (names.contains(BEGUN)) {
            return new String(Manifest.readFile(disk, work.resolve(BEGUN), 1 << 12), StandardCharsets.UTF_8);
        }
        if (!names.contains(Manifest.FILE)) {
            return null;
        }
        try {                                                   // stopped in the middle of the end
            final Manifest written = Manifest.read(disk, work);
            return line(written.cluster(), written.baseId()) + written.backup().hex();
        } catch (DamagedBackupException _) {
            return null;                                        // by a power cut
        }
    }

    private static String line(ClusterId cluster, @Nullable BackupId base) {
        return cluster.hex() + ' ' + (base == null ? "whole" : base.hex()) + ' ';
    }

    /**
     * Takes all zones, with all parts of sorted maps at one state of their bounds. A zone that was finished before a
     * stop, and is lost by now, stays in the backup.
     *
     * <p>The parts hold their splits, so that the bounds stay as they are. A new owner does not know of the hold. So
     * the bounds are read again behind the last zone: a zone with a part whose bounds have changed since before the
     * zone was read is read again. The bounds are kept in a file, for a backup that was stopped.
     *
     * @param splits the parts of sorted maps
     * @return the rows of the zones for {@link #end}
     * @throws IOException if a zone cannot be read, a file cannot be written, or sorted maps are split all the time;
     *     the backup can be continued later
     */
    public List<Manifest.Zone> takeZones(HeldSplits splits) throws IOException {
        PartBounds now = splits.hold();
        PartBounds before = disk.list(work).contains(PARTS)
            ? PartBounds.read(Manifest.readFile(disk, work.resolve(PARTS), PARTS_BYTES_MAX)) : PartBounds.NONE;
        for (int round = 0; round < ROUNDS; round++) {
            for (int zone : now.changedSince(before)) {
                if (disk.list(work).contains(Manifest.fileOf(zone))) {
                    disk.delete(work.resolve(Manifest.fileOf(zone)));
                }
            }
            Manifest.writeFile(disk, work.resolve(PARTS), now.bytes());
            takeMissing(splits);
            before = now;
            now = splits.hold();
            if (now.changedSince(before).isEmpty()) {
                return List.copyOf(taken.values());
            }
        }
        throw new IOException("zones were read " + ROUNDS + " times, and sorted maps were split meanwhile each time");
    }

    private void takeMissing(HeldSplits splits) throws IOException {
        taken.clear();
        chunks = 0;
        bytes = 0;
        List<ZoneRow> rows = link.zones();
        for (boolean isNew = true; isNew; rows = link.zones()) {
            isNew = false;
            for (ZoneRow row : rows) {
                final Manifest.Zone zone = taken.containsKey(row.zone()) ? null
                    : row.state() == ZoneState.LOST ? known(row.zone()) : take(row.zone(), splits);
                if (zone != null) {
                    isNew = true;
                    taken.put(row.zone(), zone);
                    chunks += zone.chunks();
                    bytes += zone.payloadBytes();
                    progress.accept(new Progress("zone " + row.zone(), taken.size(), rows.size(), chunks, bytes));
                }
            }
        }
    }

    /**
     * {@return the zones that are lost, and not in the backup}
     *
     * @throws IOException if no superpeer answers
     */
    public List<Integer> lost() throws IOException {
        return link.zones().stream().filter(row -> row.state() == ZoneState.LOST && !taken.containsKey(row.zone()))
            .map(ZoneRow::zone).toList();
    }

    private Manifest.Zone take(int zone, HeldSplits splits) throws IOException {
        final Manifest.Zone known = known(zone);
        if (known != null) {
            return known;
        }
        try (ZoneChain before = base == null ? null : base.zone(zone)) {
            for (int i = 0; i < ATTEMPTS; i++) {
                final Manifest.Zone row = read(zone, before, splits);
                if (row != null) {
                    return row;
                }
                link.pause();
            }
        }
        throw new IOException("zone " + zone + " was read " + ATTEMPTS + " times, and its owner has changed each time, "
            + "or has had changes faster than they were read");
    }

    /** Returns the row of a zone whose file is whole, from before a stop; else null. */
    private Manifest.@Nullable Zone known(int zone) throws IOException {
        if (!disk.list(work).contains(Manifest.fileOf(zone))) {
            return null;
        }
        try (ZoneFileReader file = ZoneFileReader.open(disk, work.resolve(Manifest.fileOf(zone)), cluster, backup,
            zone)) {
            file.verify();
            return new Manifest.Zone(zone, file.number(), file.chunks(), file.payloadBytes(), file.length());
        } catch (DamagedBackupException _) {
            disk.delete(work.resolve(Manifest.fileOf(zone)));   // is taken again
            return null;
        }
    }

    /** Reads a zone once; returns null if its owner or the session was lost. */
    private Manifest.@Nullable Zone read(int zone, @Nullable ZoneChain before, HeldSplits splits)
        throws IOException {
        final ArchiveAnswer begun = link.call(new ArchiveRequest(ArchiveRequest.READ, zone, 0,
            before == null ? ArchiveRequest.NONE : before.digests()));
        if (begun.code() != ArchiveAnswer.DONE) {
            return null;
        }
        final ArchiveRequest next = new ArchiveRequest(ArchiveRequest.NEXT, zone, begun.session(),
            ArchiveRequest.NONE);
        boolean isLeft = true;
        try (ZoneCapture capture = new ZoneCapture(disk, work, zone, before)) {
            while (true) {
                splits.renew();
                final ArchiveAnswer part = link.call(next);
                if (part.code() != ArchiveAnswer.DONE && part.code() != ArchiveAnswer.END) {
                    return null;
                }
                capture.take(part.content());
                if (part.code() == ArchiveAnswer.END) {
                    isLeft = false;
                    return capture.write(work.resolve(Manifest.fileOf(zone)), cluster, backup, part.number());
                }
            }
        } finally {
            if (isLeft) {
                leave(zone, begun.session());
            }
        }
    }

    private void leave(int zone, long session) {
        try {
            link.call(new ArchiveRequest(ArchiveRequest.LEAVE, zone, session, ArchiveRequest.NONE));
        } catch (IOException _) {
            return;                                             // the owner ends the session by its limits
        }
    }

    /**
     * Writes the services and the manifest, and gives the folder its name.
     *
     * @param zones result of {@link #takeZones}
     * @param lost zones that are lost
     * @param revision last number of the registry
     * @param names the names of services
     * @throws IOException if a file cannot be written
     */
    public void end(List<Manifest.Zone> zones, List<Integer> lost, long revision, List<ServicesFile.Name> names)
        throws IOException {
        final byte[] services = ServicesFile.write(names);
        Manifest.writeFile(disk, work.resolve(ServicesFile.FILE), services);
        new Manifest(cluster, backup, base == null ? null : folder.relativize(base.folder()).toString(),
            base == null ? null : base.manifest().backup(), zones, lost, revision, names.size(),
            ZoneFileLayout.crc(services, 0, services.length)).write(disk, work);
        lock.close();
        for (String name : new ArrayList<>(disk.list(work))) {
            if (List.of(BEGUN, LOCK, PARTS).contains(name) || name.endsWith(".raw") || name.endsWith(".tmp")) {
                disk.delete(work.resolve(name));
            }
        }
        disk.forceFolder(work);
        rename(disk, work, folder);
    }

    /** Releases the folder; the backup can be continued later. */
    @Override
    public void close() throws IOException {
        lock.close();
    }
}
