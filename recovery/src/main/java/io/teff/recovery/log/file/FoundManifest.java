package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.ManifestReader;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The manifest that counts: the readable manifest of the highest number. Each manifest is read from its file and its
 * copy together.
 *
 * @param number of the file
 * @param state contents of the manifest
 * @param bytes end of its last complete record
 * @param file state of the manifest's file
 * @param copy state of the manifest's copy
 * @param damage manifests of higher numbers, which should be readable and are not
 */
public record FoundManifest(long number, ManifestState state, long bytes, Side file, Side copy,
                            List<FileDamage> damage) {
    /** Names of manifests begin with this. */
    public static final String PREFIX = "manifest";
    /** Names of copies of manifests begin with this. */
    public static final String COPY_PREFIX = "manifest-copy";

    /**
     * One of the two files of a manifest.
     *
     * @param name of the file
     * @param bytes of the file, -1 if there is none
     * @param wholeBytes offset of the first missing record
     */
    public record Side(String name, long bytes, long wholeBytes) {
        /** Returns whether there is a file. */
        public boolean isThere() {
            return bytes >= 0;
        }
    }

    /**
     * Finds the manifest, and changes nothing.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @return the manifest, or null if there is none
     * @throws DamagedLogException if no manifest can be read
     * @throws IOException if the disk fails
     */
    public static @Nullable FoundManifest find(Disk disk, Path folder) throws IOException {
        final List<FileDamage> damage = new ArrayList<>();
        final NavigableSet<Long> files = NumberedFiles.list(disk, folder, PREFIX);
        final NavigableSet<Long> copies = NumberedFiles.list(disk, folder, COPY_PREFIX);
        for (long number : numbers(disk, folder).descendingSet()) {
            final String name = NumberedFiles.name(PREFIX, number);
            final String copyName = NumberedFiles.name(COPY_PREFIX, number);
            final Content file = Content.read(disk, folder, name, files.contains(number));
            final Content copy = Content.read(disk, folder, copyName, copies.contains(number));
            final ManifestReader.Result result = ManifestReader.read(file.memory(), copy.memory());
            final Damage problem = result.damage();
            if (problem == null) {
                return new FoundManifest(number, result.state(), result.bytes(),
                    new Side(name, file.size, result.fileBytes()),
                    new Side(copyName, copy.size, result.copyBytes()), List.copyOf(damage));
            }
            file.throwFailure();
            copy.throwFailure();
            damage.add(new FileDamage(file.size >= 0 ? name : copyName, problem));
        }
        if (!damage.isEmpty()) {
            throw new DamagedLogException(damage);
        }
        return null;
    }

    /**
     * Bytes of one of the two files.
     *
     * @param bytes of the file, or null
     * @param size of the file, -1 if there is none
     * @param failure of the device to read it, or null; then the other file may have everything
     */
    private record Content(@Nullable ByteBuffer bytes, long size, @Nullable IOException failure) {
        static Content read(Disk disk, Path folder, String name, boolean isThere) throws IOException {
            if (!isThere) {
                return new Content(null, -1, null);
            }
            try {
                final ByteBuffer bytes = NumberedFiles.read(disk, folder.resolve(name));
                return new Content(bytes, bytes.limit(), null);
            } catch (ClosedChannelException e) {
                throw e;                                        // the disk seam failed, not the device
            } catch (IOException e) {
                return new Content(null, 0, e);
            }
        }

        MemorySegment memory() {
            return bytes == null ? ManifestReader.NO_FILE : MemorySegment.ofBuffer(bytes);
        }

        void throwFailure() throws IOException {
            if (failure != null) {
                throw failure;
            }
        }
    }

    /** Returns the identity of the log at the begin of any manifest, even of a damaged manifest; or null. */
    public static ManifestRecord.@Nullable Log log(Disk disk, Path folder) throws IOException {
        for (long number : numbers(disk, folder).descendingSet()) {
            final Content file = Content.read(disk, folder, NumberedFiles.name(PREFIX, number),
                NumberedFiles.list(disk, folder, PREFIX).contains(number));
            final Content copy = Content.read(disk, folder, NumberedFiles.name(COPY_PREFIX, number),
                NumberedFiles.list(disk, folder, COPY_PREFIX).contains(number));
            final ManifestState state = ManifestReader.read(file.memory(), copy.memory()).state();
            if (state.hasLog()) {
                return state.log();
            }
        }
        return null;
    }

    /** Returns the numbers of all manifests that have a file or a copy. */
    public static NavigableSet<Long> numbers(Disk disk, Path folder) throws IOException {
        final NavigableSet<Long> numbers = NumberedFiles.list(disk, folder, PREFIX);
        numbers.addAll(NumberedFiles.list(disk, folder, COPY_PREFIX));
        return numbers;
    }

    /** Returns whether a file has the name of a manifest or of a copy. */
    public static boolean isName(String name) {
        return NumberedFiles.isName(PREFIX, name) || NumberedFiles.isName(COPY_PREFIX, name);
    }

    /** Returns the file, or the copy if there is no file. */
    public Side first() {
        return file.isThere() ? file : copy;
    }

    /** Returns whether file and copy have all records, and nothing else. */
    public boolean isWhole() {
        return file.bytes == bytes && copy.bytes == bytes && file.wholeBytes == bytes && copy.wholeBytes == bytes;
    }

    /** Returns the damage of a file that is whole in the other file; empty if there is no such damage. */
    public List<FileDamage> healed() {
        final List<FileDamage> healed = new ArrayList<>();
        addHealed(healed, file, copy);
        addHealed(healed, copy, file);
        return healed;
    }

    private void addHealed(List<FileDamage> healed, Side side, Side whole) {
        if (side.isThere() && side.wholeBytes < bytes) {
            healed.add(new FileDamage(side.name, new Damage(side.wholeBytes, bytes - side.wholeBytes,
                "incomplete here, and complete in " + whole.name)));
        }
    }
}
