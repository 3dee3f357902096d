package io.teff.test.tck;

import io.teff.test.clusters.OneProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has all caches of the process in a cluster of the process, if {@code -Dteff.tck.store=cluster} is set: the default
 * properties of managers have the address of the cluster then.
 */
public final class ClusterSession implements LauncherSessionListener {
    private static final String KIND = "teff.tck.store";
    private static final String STORE = "teff.store";

    private Path folder;
    private OneProcess cluster;

    /** For the service loader. */
    public ClusterSession() {}

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (!"cluster".equals(System.getProperty(KIND))) {
            return;
        }
        try {
            folder = Files.createTempDirectory("teff-tck");
            cluster = OneProcess.start("tck", folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.setProperty(STORE, cluster.address());
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (cluster == null) {
            return;
        }
        System.clearProperty(STORE);
        try {
            cluster.close();
            delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a folder with all that is in it. */
    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
