package io.teff.test.rules.tour;

import io.teff.test.kit.ChildProcess;
import java.io.File;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The module path of a program that uses the products: products and libraries, without libraries of tests. */
final class ModulePath {
    private static final String LIBRARY = "(jctools|agrona|aeron)-.*\\.jar";

    private ModulePath() {}

    /** Returns the folders and jars of the products; empty if the products were built without descriptors. */
    static List<Path> products() {
        return entries().filter(ModulePath::isProduct).toList();
    }

    /** Returns products and libraries, in the form of the option {@code --module-path}. */
    static String text() {
        return entries().filter(it -> isProduct(it) || it.getFileName().toString().matches(LIBRARY))
            .map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static Stream<Path> entries() {
        return Arrays.stream(ChildProcess.classPath().split(File.pathSeparator)).map(Path::of);
    }

    private static boolean isProduct(Path entry) {
        if (entry.toString().contains("src-test")) {
            return false;
        }
        try {
            return ModuleFinder.of(entry).findAll().stream().anyMatch(module -> !module.descriptor().isAutomatic()
                && module.descriptor().name().startsWith("io.teff."));
        } catch (FindException _) {
            return false;                                       // a jar whose file name is no name of a module
        }
    }
}
