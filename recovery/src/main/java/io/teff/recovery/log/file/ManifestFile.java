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
 * The manifest on the disk. For many threads, one at a time: its monitor guards it.
 *
 * <pre>
 *  manifest-4 (long) ──> manifest-5.new, synced ──> renamed to manifest-5, folder synced ──> manifest-4 deleted
 * </pre>
 * A record is appended and synced before it counts. When the file has become long, what counts is written to a new one
 * under a name that is none yet; so whatever is called a manifest was whole, and the one with the highest number
 * counts. A full disk leaves the old one in use. Below one that cannot be read it keeps its number, and takes the old
 * one's place, until that damage is given up: else nobody would be told of it after a crash.
 *
 * <p>A process that was killed may have left a record, or a name, that is there and not synced. So what is found is
 * synced before anything is said behind it, or a power cut could take the one and leave the other.
 */
public final class ManifestFile implements Closeable {
    private static final String UNFINISHED = ".new";
    /** A file is written anew when it is so many times as long as what it began with. */
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
     * Makes the first manifest of a log: it is closed, and has nothing.
     *
     * @param disk where
     * @param folder of the log, without a manifest
     * @param log its name
     * @param failure of the log
     * @param longBytes length from which on a manifest is written anew
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
     * Opens the manifest of a log, and deletes what is left of others, unless something is damaged.
     *
     * @param disk where
     * @param folder of the log
     * @param failure of the log
     * @param longBytes length from which on a manifest is written anew
     * @return the manifest, or null if there is none
     * @throws DamagedLogException if none can be read at all
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

    /** Deletes other manifests, finished or not; what is called otherwise is somebody else's. */
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

    /** {@return manifests that should be readable and are not; an older one is used then} */
    public List<FileDamage> damage() {
        return damage;
    }

    /** {@return what counts; read it under this manifest's monitor while others append} */
    public ManifestState state() {
        return state;
    }

    /**
     * Says something more, synced.
     *
     * @param record what
     * @throws IllegalArgumentException if that cannot come next
     * @throws IOException as {@link LogFailure#step}; it may count or not when the log is opened again
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
                rewriteAt = end + longBytes;                    // the old one goes on, and this is tried again later
            }
        }
    }

    /**
     * Says several things, of which all count afterwards or none, by a new file. If it throws, the manifest is closed.
     *
     * @param records what, in order
     * @throws IllegalArgumentException if one of them cannot come then
     * @throws DiskFullException if the disk is full: none counts
     * @throws IOException as {@link LogFailure#step}; they may count or not when the log is opened again
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

    /** Begins a file above those that could not be read, so that nobody is told of them again. */
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
