package io.teff.test.kit;

import java.nio.file.Files;
import java.nio.file.Path;

/** The files of this project, which a test finds from whatever folder inside of it the test was started in. */
public final class Project {
    private Project() {}

    /** Returns a file, given relative to the project's folder. */
    public static Path file(String name) {
        String given = System.getProperty("teff.root");
        Path folder = Path.of(given == null ? "" : given).toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("teff"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new AssertionError("not inside the project: " + Path.of("").toAbsolutePath());
        }
        return folder.resolve(name);
    }
}
