package io.teff.test.bench.disk;

import io.teff.test.bench.session.ProcessPlan;
import java.nio.file.Path;
import java.util.List;

/**
 * What is measured of one way to write and read, in a JVM of its own.
 *
 * @param kind the way
 * @param file to write to and to read from; it has all of its bytes
 * @param measureMs time of each measurement that can be repeated, after as long a warm-up
 */
record DiskPlan(DiskMethod kind, Path file, int measureMs) implements ProcessPlan {
    @Override
    public List<String> arguments() {
        return List.of("disk-session", "--method", kind.id(), "--file", file.toString(), "--measure-ms",
            "" + measureMs);
    }
}
