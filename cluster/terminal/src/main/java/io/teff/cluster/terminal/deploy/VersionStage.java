package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.engine.os.FailureText;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A version of the program in a folder of this machine: {@code lib} with all jars of the class path, and the file
 * {@code SHA256SUMS}. Two versions with the same bytes have the same name. Close deletes the folder.
 */
final class VersionStage implements AutoCloseable {
    static final String SUMS = "SHA256SUMS";
    private static final String MODULE = "module-info.class";
    private static final int NAME_DIGITS = 12;
    /** The times in jars, so that two builds of the same classes have the same bytes. */
    private static final LocalDateTime TIME = LocalDateTime.of(2000, 1, 1, 0, 0);
    private static final Pattern PACKAGE = Pattern.compile("teff-.*\\.jar");
    private static final Pattern EXTRA = Pattern.compile(".*-(sources|javadoc)\\.jar");

    private final Path folder;
    private final String version;

    private VersionStage(Path folder, String version) {
        this.folder = folder;
        this.version = version;
    }

    /**
     * Copies a class path.
     *
     * @param classPath jars, and folders of classes, which become jars
     * @param packages folder of {@code ./teff package}, whose jars take the place of folders; null for none
     */
    static VersionStage make(String classPath, @Nullable Path packages) {
        try {
            Path folder = Files.createTempDirectory("teff-version");
            Path lib = Files.createDirectory(folder.resolve("lib"));
            Map<String, Path> jars = packages == null ? Map.of() : packages(packages);
            for (String entry : classPath.split(File.pathSeparator)) {
                Path place = Path.of(entry);
                if (Files.isDirectory(place)) {
                    String module = module(place);
                    Path jar = jars.get(module);
                    if (packages != null && jar == null) {
                        throw new CommandFailure(packages + " has no package with the module " + module
                            + "\n  make it anew: ./teff package FOLDER");
                    }
                    if (jar == null) {
                        pack(place, unused(lib, module));
                    } else {
                        Files.copy(jar, lib.resolve(jar.getFileName()));
                    }
                } else if (Files.exists(place)) {
                    Files.copy(place, lib.resolve(place.getFileName()));
                }
            }
            String sums = sums(lib);
            Files.writeString(folder.resolve(SUMS), sums);
            byte[] digest = sha256().digest(sums.getBytes(StandardCharsets.UTF_8));
            return new VersionStage(folder, "v" + HexFormat.of().formatHex(digest).substring(0, NAME_DIGITS));
        } catch (IOException e) {
            throw new CommandFailure("the version cannot be gathered: " + FailureText.of(e), e);
        }
    }

    /** Copies the class path of this program. */
    static VersionStage ofThisProgram(@Nullable Path packages) {
        return make(System.getProperty("java.class.path"), packages);
    }

    Path folder() {
        return folder;
    }

    String version() {
        return version;
    }

    /** Returns the jars of modules below a repository, by the names of the modules. */
    private static Map<String, Path> packages(Path repository) throws IOException {
        Map<String, Path> jars = new HashMap<>();
        try (Stream<Path> files = Files.walk(repository)) {
            for (Path jar : files.filter(it -> isPackage(it.getFileName().toString())).toList()) {
                try (JarFile open = new JarFile(jar.toFile())) {
                    ZipEntry entry = open.getEntry(MODULE);
                    if (entry != null) {
                        try (InputStream in = open.getInputStream(entry)) {
                            jars.put(ModuleDescriptor.read(in).name(), jar);
                        }
                    }
                }
            }
        }
        return jars;
    }

    private static boolean isPackage(String name) {
        return PACKAGE.matcher(name).matches() && !EXTRA.matcher(name).matches();
    }

    /** Returns the name of the module of a folder of classes; without a module, of the folder with the build file. */
    private static String module(Path classes) throws IOException {
        Path descriptor = classes.resolve(MODULE);
        if (Files.exists(descriptor)) {
            try (InputStream in = Files.newInputStream(descriptor)) {
                return ModuleDescriptor.read(in).name();
            }
        }
        Path home = classes.toAbsolutePath().normalize();
        for (Path above = home; above != null; above = above.getParent()) {
            if (Files.exists(above.resolve("pom.xml"))) {
                home = above;
                break;
            }
        }
        return String.valueOf(home.getFileName());
    }

    /** Returns a jar that does not exist yet: folders of resources alone have no module, and may share a name. */
    private static Path unused(Path lib, String name) {
        Path jar = lib.resolve(name + ".jar");
        for (int i = 2; Files.exists(jar); i++) {
            jar = lib.resolve(name + "-" + i + ".jar");
        }
        return jar;
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(jar));
                ZipOutputStream zip = new ZipOutputStream(out); Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                ZipEntry entry = new ZipEntry(classes.relativize(file).toString().replace(File.separatorChar, '/'));
                entry.setTimeLocal(TIME);
                zip.putNextEntry(entry);
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
    }

    private static String sums(Path lib) throws IOException {
        StringBuilder sums = new StringBuilder();
        List<Path> files;
        try (Stream<Path> all = Files.list(lib)) {
            files = all.sorted().toList();
        }
        for (Path file : files) {
            MessageDigest digest = sha256();
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            sums.append(HexFormat.of().formatHex(digest.digest())).append("  lib/").append(file.getFileName())
                .append('\n');
        }
        return sums.toString();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);                        // each JDK has it
        }
    }

    @Override
    public void close() {
        delete(folder);
    }

    /** Deletes a folder of this machine with all files. */
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
