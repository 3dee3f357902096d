package io.teff.test.bench.disk;

import io.teff.test.bench.session.ProcessPlan;
import java.nio.file.Path;
import java.util.List;

/**
 * The plan of the measurements of one method, in a JVM of its own.
 *
 * @param kind the method
 * @param file the file to write to and to read from; its blocks are all allocated
 * @param measureMs time of each measurement that can be repeated, after a warm-up of the same length
 */
record DiskPlan(DiskMethod kind, Path file, int measureMs) implements ProcessPlan {
    @Override
    public List<String> arguments() {
        return List.of("disk-session", "--method", kind.id(), "--file", file.toString(), "--measure-ms",
            "" + measureMs);
    }
}
