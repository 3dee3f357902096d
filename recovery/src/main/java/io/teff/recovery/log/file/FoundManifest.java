package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.ManifestReader;
import io.teff.recovery.format.ManifestState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The manifest that counts: the readable one of the highest number.
 *
 * @param number of the file
 * @param state contents of the manifest
 * @param bytes end of its last complete record
 * @param fileBytes size of the file
 * @param damage manifests of higher numbers, which should be readable and are not
 */
public record FoundManifest(long number, ManifestState state, long bytes, long fileBytes, List<FileDamage> damage) {
    /** Names of manifests begin with this. */
    public static final String PREFIX = "manifest";

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
        for (long number : NumberedFiles.list(disk, folder, PREFIX).descendingSet()) {
            final String name = NumberedFiles.name(PREFIX, number);
            final ByteBuffer bytes = NumberedFiles.read(disk, folder.resolve(name));
            final ManifestReader.Result result = ManifestReader.read(MemorySegment.ofBuffer(bytes));
            final Damage problem = result.damage();
            if (problem == null) {
                return new FoundManifest(number, result.state(), result.bytes(), bytes.limit(), List.copyOf(damage));
            }
            damage.add(new FileDamage(name, problem));
        }
        if (!damage.isEmpty()) {
            throw new DamagedLogException(damage);
        }
        return null;
    }

    /** Returns the name of its file. */
    public String fileName() {
        return NumberedFiles.name(PREFIX, number);
    }
}
