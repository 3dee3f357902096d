package io.teff.test.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The checkout under test: its location and files. */
public final class Repository {
    private static final Set<String> FOREIGN_FOLDERS = Set.of(".git", "target", ".idea", ".vscode", ".settings");

    private Repository() {}

    /** The folder that holds the parent pom, found from the build's property or from the current folder upwards. */
    public static Path root() {
        String given = System.getProperty("teff.root");
        Path path = Path.of(given == null ? "." : given).toAbsolutePath().normalize();
        while (path != null && !(Files.exists(path.resolve("teff")) && Files.exists(path.resolve("pom.xml")))) {
            path = path.getParent();
        }
        if (path == null) {
            throw new IllegalStateException("not inside the repository: " + Path.of("").toAbsolutePath());
        }
        return path;
    }

    /** All files with one of the endings, as paths relative to the root, in order; an empty ending takes all. */
    public static List<Path> files(String... endings) {
        Path root = root();
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    boolean foreign = FOREIGN_FOLDERS.contains(folder.getFileName().toString());
                    return foreign && !folder.equals(root) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    for (String ending : endings) {
                        if (file.getFileName().toString().endsWith(ending)) {
                            found.add(root.relativize(file));
                            break;
                        }
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.sort(null);
        return found;
    }

    /** Returns the text of a file, given relative to the root. */
    public static String read(Path file) {
        try {
            return Files.readString(root().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
