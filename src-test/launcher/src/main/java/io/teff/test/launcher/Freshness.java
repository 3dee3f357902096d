package io.teff.test.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Compares the time of a module's last build with the times of the sources that went into it. */
final class Freshness {
    private Freshness() {}

    /** Returns the file that holds a module's class path; its time is that of the module's last build. */
    static Path stamp(Module module) {
        return module.target().resolve("classpath.txt");
    }

    /** Returns the class path of a module that was built. */
    static String classPath(Module module) throws IOException {
        return module.target().resolve("classes") + File.pathSeparator + Files.readString(stamp(module)).strip();
    }

    /** Returns whether a module was built in this folder after its sources, and those it needs, were last changed. */
    static boolean isFresh(Path root, Modules modules, Module module) throws IOException {
        Path stamp = stamp(module);
        if (!Files.exists(stamp)) {
            return false;
        }
        List<Path> sources = new ArrayList<>(List.of(root.resolve("pom.xml")));
        for (Module needed : modules.closure(module, false)) {
            sources.add(needed.pom());
            sources.addAll(needed.sources());
            sources.add(needed.resources());
            if (!needed.equals(module) && !Files.readString(stamp).contains(needed.target().toString())) {
                return false;                                  // built in another folder, of which this one is a copy
            }
        }
        long time = Files.getLastModifiedTime(stamp).toMillis();
        for (Path source : sources) {
            if (isNewer(source, time, module.target())) {
                return false;
            }
        }
        for (String entry : Files.readString(stamp).strip().split(File.pathSeparator)) {
            if (!entry.isEmpty() && !Files.exists(Path.of(entry))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a file, or anything in a folder, was changed after a time; built files do not count. */
    static boolean isNewer(Path path, long time, Path target) throws IOException {
        if (!Files.exists(path) || path.startsWith(target)) {
            return false;
        }
        boolean[] isNewer = new boolean[1];
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return visitFile(folder, attributes);           // its time is that of the last deletion in it
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                isNewer[0] |= attributes.lastModifiedTime().toMillis() > time;
                return isNewer[0] ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
            }
        });
        return isNewer[0];
    }
}
