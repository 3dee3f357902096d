package io.teff.test.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything on which the result of a module's tests depends, as one hash: the module's sources, tests and pom, the
 * sources and poms of the modules that it needs, the files that {@code src-test/launcher/inputs.txt} names, and the
 * machine.
 *
 * <p>A line of that file has a module's folder and paths relative to the root; a {@code *} in place of the folder means
 * all modules, and a dot as path means the whole repository.
 */
final class Inputs {
    /** The file that names more inputs, relative to the root. */
    static final String FILE = "src-test/launcher/inputs.txt";
    private static final Set<String> NOT_SOURCES = Set.of("target", ".git", ".idea");
    private static final String ALL = "*";

    private final Path root;
    private final Modules modules;
    private final String machine;
    private final Map<String, List<String>> named = new HashMap<>();
    private final Map<Path, byte[]> known = new HashMap<>();

    /** @param machine what the machine is and has, as far as tests depend on it */
    Inputs(Path root, Modules modules, String machine) throws IOException {
        this.root = root;
        this.modules = modules;
        this.machine = machine;
        Path file = root.resolve(FILE);
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.strip().split(" +");
                named.computeIfAbsent(words[0], _ -> new ArrayList<>())
                    .addAll(List.of(words).subList(1, words.length));
            }
        }
    }

    /** Returns the files and folders on which the result of a module's tests depends. */
    List<Path> of(Module module) {
        Set<Path> paths = new LinkedHashSet<>();
        paths.add(root.resolve("pom.xml"));
        for (Module needed : modules.closure(module, true)) {
            paths.add(needed.pom());
            paths.addAll(needed.sources());
            paths.add(needed.resources());
        }
        paths.addAll(module.tests());
        paths.add(module.pom().resolveSibling("src"));
        for (String owner : List.of(ALL, module.folder())) {
            named.getOrDefault(owner, List.of()).forEach(path -> paths.add(root.resolve(path).normalize()));
        }
        return List.copyOf(paths);
    }

    /** Returns the hash of all inputs of a module, in hexadecimal digits. */
    String hash(Module module) {
        MessageDigest digest = digest();
        digest.update((module.folder() + "\n" + machine + "\n").getBytes(StandardCharsets.UTF_8));
        for (Path path : of(module)) {
            digest.update((root.relativize(path) + "\n").getBytes(StandardCharsets.UTF_8));
            digest.update(known.computeIfAbsent(path, this::content));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns the hash of a file, or of all files in a folder with their names; a path without a file has one, too. */
    private byte[] content(Path path) {
        List<Path> files = new ArrayList<>();
        try {
            if (Files.exists(path)) {
                Files.walkFileTree(path, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                        boolean isForeign = !folder.equals(path)
                            && NOT_SOURCES.contains(folder.getFileName().toString());
                        return isForeign ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        files.add(file);
                        return FileVisitResult.CONTINUE;
                    }
                });
            }
            files.sort(null);
            MessageDigest digest = digest();
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                String head = path.relativize(file) + "\n" + bytes.length + "\n";
                digest.update(head.getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            }
            return digest.digest();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);                 // every JDK has it
        }
    }
}
