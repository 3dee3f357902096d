package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.ManifestWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The manifest on the disk, in two files with the same bytes. Thread-safe, guarded by its monitor.
 *
 * <pre>
 *  manifest-4        (long) ──> manifest-5.new,      synced ──> renamed to manifest-5      ──┐
 *  manifest-copy-4   (long) ──> manifest-copy-5.new, synced ──> renamed to manifest-copy-5 ──┴─> folder synced ──> both
 *                                                                                                old ones deleted
 * </pre>
 * A record is appended to the file, synced, then to the copy, synced, before it counts. When the file has grown long,
 * the current state is written to two new files, which get the names of a manifest only when both are complete. So
 * every file with such a name was complete, and the file with the highest number counts. While a manifest with a higher
 * number cannot be read, the new files replace the old files under the old number, until the damage is given up:
 * otherwise a crash would hide the damage.
 *
 * <p><b>The copy.</b> A record is read from the file or from its copy, so damage of a single file loses nothing; the
 * next opening of the manifest writes both files anew. The file alone decides whether a record was appended. A full
 * disk that has no room for a record in the copy leaves the copy behind, until there is room to write both anew.
 *
 * <p>A killed process may have left an unsynced record or name. So both are synced before anything is appended behind
 * them. Otherwise a power cut could keep a later record and lose an earlier record.
 */
public final class ManifestFile implements Closeable {
    private static final String UNFINISHED = ".new";
    /** A file is rewritten when its length is this multiple of the length at its beginning. */
    private static final int GROWTH = 4;

    private final Disk disk;
    private final Path folder;
    private final LogFailure failure;
    private final int longBytes;
    private final ManifestState state;
    private final List<FileDamage> damage;
    private final Leftovers leftovers;
    private long number;
    private long end;
    private long rewriteAt;
    private boolean isBelowDamage;
    private @Nullable DiskFile file;
    /** Null while the copy is missing, or lacks a record. */
    private @Nullable DiskFile copy;

    private ManifestFile(Disk disk, Path folder, LogFailure failure, int longBytes, ManifestState state,
                         List<FileDamage> damage) {
        this.disk = disk;
        this.folder = folder;
        this.failure = failure;
        this.longBytes = longBytes;
        this.rewriteAt = longBytes;
        this.state = state;
        this.damage = List.copyOf(damage);
        this.isBelowDamage = !damage.isEmpty();
        this.leftovers = new Leftovers(disk);
    }

    /**
     * Creates the first manifest of a log: closed and without zones.
     *
     * @param disk that has the folder
     * @param folder of the log, without a manifest
     * @param log identity of the log
     * @param failure of the log
     * @param longBytes length from which on the manifest is rewritten
     * @return the manifest
     * @throws IOException if it cannot be written; then there is none
     */
    public static ManifestFile create(Disk disk, Path folder, ManifestRecord.Log log, LogFailure failure,
                               int longBytes) throws IOException {
        final ManifestState state = new ManifestState();
        state.apply(log);
        state.apply(new ManifestRecord.Closed(0, 0));
        return create(disk, folder, state, failure, longBytes);
    }

    /**
     * Creates the first manifest of a log in a given state.
     *
     * @param disk that has the folder
     * @param folder of the log, without a manifest
     * @param state of the log
     * @param failure of the log
     * @param longBytes length from which on the manifest is rewritten
     * @return the manifest
     * @throws IOException if it cannot be written; then there is none
     */
    public static ManifestFile create(Disk disk, Path folder, ManifestState state, LogFailure failure, int longBytes)
        throws IOException {
        final ManifestFile manifest = new ManifestFile(disk, folder, failure, longBytes, state, List.of());
        failure.stepWithAllReserve(manifest::rewrite);
        return manifest;
    }

    /**
     * Opens the manifest of a log, deletes remains of others, and replaces damaged parts of file or copy, unless a
     * later manifest is damaged.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param failure of the log
     * @param longBytes length from which on the manifest is rewritten
     * @return the manifest, or null if there is none
     * @throws DamagedLogException if no manifest can be read
     * @throws IOException if the disk fails
     */
    public static @Nullable ManifestFile open(Disk disk, Path folder, LogFailure failure, int longBytes)
        throws IOException {
        final FoundManifest found = FoundManifest.find(disk, folder);
        return found == null ? null : open(disk, folder, failure, longBytes, found);
    }

    /**
     * Opens the manifest that was found, and as above.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param failure of the log
     * @param longBytes length from which on the manifest is rewritten
     * @param found the manifest
     * @return the manifest
     * @throws IOException if the disk fails
     */
    public static ManifestFile open(Disk disk, Path folder, LogFailure failure, int longBytes, FoundManifest found)
        throws IOException {
        final ManifestFile manifest = new ManifestFile(disk, folder, failure, longBytes, found.state(),
            found.damage());
        manifest.take(found.number(), disk.open(folder.resolve(found.first().name())), found.bytes());
        boolean isOpen = false;
        try {
            if (found.isWhole()) {
                manifest.copy = disk.open(folder.resolve(found.copy().name()));
            }
            failure.stepWithAllReserve(manifest::settle);
            if (!found.isWhole() && found.damage().isEmpty()) {
                manifest.rewriteIfRoom();
            }
            isOpen = true;
            return manifest;
        } finally {
            if (!isOpen) {
                manifest.close();
            }
        }
    }

    private void take(long newNumber, DiskFile newFile, long bytes) {
        number = newNumber;
        file = newFile;
        end = bytes;
    }

    /** Syncs found files, and deletes files that no longer count. */
    private void settle() throws IOException {
        LogFailure.force(open());
        if (copy != null) {
            LogFailure.force(copy);
        }
        LogFailure.forceFolder(disk, folder);
        deleteOthers();
    }

    /** Deletes other manifests, complete or not. Files with other names are not the log's. */
    private void deleteOthers() throws IOException {
        if (!damage.isEmpty()) {
            return;
        }
        final List<String> kept = List.of(NumberedFiles.name(FoundManifest.PREFIX, number),
            NumberedFiles.name(FoundManifest.COPY_PREFIX, number));
        for (String name : disk.list(folder)) {
            if (FoundManifest.isName(finished(name)) && !kept.contains(name)) {
                leftovers.delete(List.of(folder.resolve(name)));
            }
        }
    }

    /** Returns the name of a complete file. */
    static String finished(String name) {
        return name.endsWith(UNFINISHED) ? name.substring(0, name.length() - UNFINISHED.length()) : name;
    }

    /** {@return manifests that should be readable and are not; then an older one is in use} */
    public List<FileDamage> damage() {
        return damage;
    }

    /** {@return the current state; to be read under this manifest's monitor while other threads append} */
    public ManifestState state() {
        return state;
    }

    /**
     * Appends a record and syncs it.
     *
     * @param record to append
     * @throws IllegalArgumentException if the record cannot follow the others
     * @throws IOException as {@link LogFailure#step}; the record may count or not when the log is opened again
     */
    public synchronized void append(ManifestRecord record) throws IOException {
        final String problem = state.problem(record);
        if (problem != null) {
            throw new IllegalArgumentException(record + ": " + problem);
        }
        failure.stepWithAllReserve(() -> {
            final ByteBuffer bytes = ManifestWriter.bytes(record);
            final int length = bytes.remaining();
            append(open(), bytes);
            appendToCopy(bytes.rewind());
            end += length;
            state.apply(record);
        });
        if (end > rewriteAt) {
            rewriteIfRoom();
        }
    }

    private void append(DiskFile to, ByteBuffer bytes) throws IOException {
        to.write(bytes, end);
        LogFailure.force(to);
    }

    /** Appends to the copy, or leaves it behind on a full disk: then the next append writes both anew. */
    private void appendToCopy(ByteBuffer bytes) throws IOException {
        final DiskFile to = copy;
        if (to != null) {
            try {
                append(to, bytes);
            } catch (DiskFullException _) {
                to.close();
                copy = null;
                rewriteAt = end;
            }
        }
    }

    /**
     * Writes both files anew, unless the disk is full: then the old files stay in use, and the writing is retried
     * later.
     */
    private void rewriteIfRoom() throws IOException {
        try {
            failure.stepWithAllReserve(this::rewrite);
        } catch (DiskFullException _) {
            rewriteAt = end + longBytes;
        }
    }

    /**
     * Appends several records atomically, by writing a new file. If it throws an exception, the manifest is closed.
     *
     * @param records to append, in order
     * @throws IllegalArgumentException if a record cannot follow the records before
     * @throws DiskFullException if the disk is full: no record counts
     * @throws IOException as {@link LogFailure#step}; the records may count or not when the log is opened again
     */
    public synchronized void appendAll(List<ManifestRecord> records) throws IOException {
        boolean isDone = false;
        try {
            records.forEach(state::apply);
            failure.stepWithAllReserve(this::rewrite);
            isDone = true;
        } finally {
            if (!isDone) {
                close();
            }
        }
    }

    /** Begins a file with a number above all unreadable files, so that these files are not reported again. */
    public synchronized void giveUpDamage() throws IOException {
        if (!damage.isEmpty()) {
            failure.stepWithAllReserve(() -> {
                number = Math.max(number, FoundManifest.numbers(disk, folder).last());
                isBelowDamage = false;
                rewrite();
            });
        }
    }

    private DiskFile open() {
        if (file == null) {
            throw new IllegalStateException("the manifest is closed");
        }
        return file;
    }

    private void rewrite() throws IOException {
        final long next = isBelowDamage ? number : number + 1;
        final Path target = folder.resolve(NumberedFiles.name(FoundManifest.PREFIX, next));
        final Path copyTarget = folder.resolve(NumberedFiles.name(FoundManifest.COPY_PREFIX, next));
        final ByteBuffer bytes = ManifestWriter.bytes(state);
        final int length = bytes.remaining();
        final DiskFile made = write(target, bytes);
        DiskFile madeCopy = null;
        boolean isDone = false;
        try {
            madeCopy = write(copyTarget, bytes.rewind());
            disk.rename(unfinished(target), target);
            madeCopy = named(madeCopy, copyTarget);
            LogFailure.forceFolder(disk, folder);
            isDone = true;
        } finally {
            if (!isDone) {
                closeBoth(made, madeCopy);
            }
        }
        close();
        take(next, made, length);
        copy = madeCopy;
        rewriteAt = Math.max(longBytes, (long) GROWTH * length);
        deleteOthers();
    }

    private static Path unfinished(Path path) {
        return path.resolveSibling(path.getFileName() + UNFINISHED);
    }

    /** Writes a file under its unfinished name, and syncs the file. */
    private DiskFile write(Path target, ByteBuffer bytes) throws IOException {
        final Path source = unfinished(target);
        if (disk.list(folder).contains(source.getFileName().toString())) {
            disk.delete(source);
        }
        final DiskFile made = disk.create(source, 0);
        boolean isDone = false;
        try {
            made.write(bytes, 0);
            LogFailure.force(made);
            isDone = true;
            return made;
        } finally {
            if (!isDone) {
                made.close();
            }
        }
    }

    /** Renames the complete copy; returns null if a full disk has no room for the name, as the file already counts. */
    private @Nullable DiskFile named(DiskFile madeCopy, Path target) throws IOException {
        try {
            disk.rename(unfinished(target), target);
            return madeCopy;
        } catch (DiskFullException _) {
            madeCopy.close();
            return null;
        }
    }

    private static void closeBoth(DiskFile one, @Nullable DiskFile other) throws IOException {
        try (one) {
            if (other != null) {
                other.close();
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        final DiskFile open = file;
        if (open != null) {
            closeBoth(open, copy);
            file = null;
            copy = null;
        }
    }
}
