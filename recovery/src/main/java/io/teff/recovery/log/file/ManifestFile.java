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
 * The manifest on the disk. Thread-safe, guarded by its monitor.
 *
 * <pre>
 *  manifest-4 (long) ──> manifest-5.new, synced ──> renamed to manifest-5, folder synced ──> manifest-4 deleted
 * </pre>
 * A record is appended and synced before it counts. When the file has grown long, the current state is written to a
 * new file, which gets the name of a manifest only when it is complete; so every file with such a name was complete,
 * and the one with the highest number counts. A full disk leaves the old one in use. While a manifest with a higher
 * number cannot be read, the new file replaces the old one under its number, until that damage is given up: otherwise
 * a crash would hide the damage.
 *
 * <p>A killed process may have left a record or a name that is present and not synced. So both are synced before
 * anything is appended behind them, or a power cut could keep the later and lose the earlier one.
 */
public final class ManifestFile implements Closeable {
    private static final String UNFINISHED = ".new";
    /** A file is rewritten when it is this many times as long as at its beginning. */
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
        final ManifestFile manifest = new ManifestFile(disk, folder, failure, longBytes, state, List.of());
        failure.step(manifest::rewrite);
        return manifest;
    }

    /**
     * Opens the manifest of a log, and deletes remains of others unless there is damage.
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
        if (found == null) {
            return null;
        }
        final ManifestFile manifest = new ManifestFile(disk, folder, failure, longBytes, found.state(),
            found.damage());
        final DiskFile file = disk.open(folder.resolve(found.fileName()));
        manifest.take(found.number(), file, found.bytes());
        failure.step(() -> {
            LogFailure.force(file);
            LogFailure.forceFolder(disk, folder);
            manifest.deleteOthers();
        });
        return manifest;
    }

    private void take(long newNumber, DiskFile newFile, long bytes) {
        number = newNumber;
        file = newFile;
        end = bytes;
    }

    /** Deletes other manifests, complete or not. Files with other names are not the log's. */
    private void deleteOthers() throws IOException {
        if (!damage.isEmpty()) {
            return;
        }
        for (String name : disk.list(folder)) {
            final String finished = name.endsWith(UNFINISHED)
                ? name.substring(0, name.length() - UNFINISHED.length()) : name;
            if (NumberedFiles.isName(FoundManifest.PREFIX, finished)
                && !name.equals(NumberedFiles.name(FoundManifest.PREFIX, number))) {
                leftovers.delete(List.of(folder.resolve(name)));
            }
        }
    }

    /** {@return manifests that should be readable and are not; then an older one is in use} */
    public List<FileDamage> damage() {
        return damage;
    }

    /** {@return the current state; read it under this manifest's monitor while others append} */
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
        failure.step(() -> {
            final DiskFile to = open();
            final ByteBuffer bytes = ManifestWriter.bytes(record);
            final int length = bytes.remaining();
            to.write(bytes, end);
            LogFailure.force(to);
            end += length;
            state.apply(record);
        });
        if (end > rewriteAt) {
            try {
                failure.step(this::rewrite);
            } catch (DiskFullException _) {
                rewriteAt = end + longBytes;                    // the old file stays in use; retried later
            }
        }
    }

    /**
     * Appends several records atomically, by writing a new file. If it throws an exception, the manifest is closed.
     *
     * @param records to append, in order
     * @throws IllegalArgumentException if one of them cannot follow the others
     * @throws DiskFullException if the disk is full: no record counts
     * @throws IOException as {@link LogFailure#step}; the records may count or not when the log is opened again
     */
    public synchronized void appendAll(List<ManifestRecord> records) throws IOException {
        boolean isDone = false;
        try {
            failure.step(() -> {
                records.forEach(state::apply);
                rewrite();
            });
            isDone = true;
        } finally {
            if (!isDone) {
                close();
            }
        }
    }

    /** Begins a file above those that could not be read, so that they are not reported again. */
    public synchronized void giveUpDamage() throws IOException {
        if (!damage.isEmpty()) {
            failure.step(() -> {
                number = Math.max(number, NumberedFiles.list(disk, folder, FoundManifest.PREFIX).last());
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
        final String name = NumberedFiles.name(FoundManifest.PREFIX, next);
        final Path target = folder.resolve(name);
        final Path source = folder.resolve(name + UNFINISHED);
        if (disk.list(folder).contains(name + UNFINISHED)) {
            disk.delete(source);
        }
        final ByteBuffer bytes = ManifestWriter.bytes(state);
        final int length = bytes.remaining();
        final DiskFile made = disk.create(source, 0);
        try {
            made.write(bytes, 0);
            LogFailure.force(made);
            disk.rename(source, target);
            LogFailure.forceFolder(disk, folder);
        } catch (IOException e) {
            made.close();
            throw e;
        }
        close();
        take(next, made, length);
        rewriteAt = Math.max(longBytes, (long) GROWTH * length);
        deleteOthers();
    }

    @Override
    public synchronized void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
