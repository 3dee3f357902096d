package io.teff.test.launcher;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.reflect.AccessFlag;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies of a class path's entries that the JVM can archive: it takes classes from jars only, not from folders, and
 * none of the format before Java 6, which has another verifier. So folders become jars, without compression; and a jar
 * of old classes becomes one of the same classes with stack maps.
 */
final class AotJars {
    /** Major version of class files whose verifier is the current one, and which need stack maps. */
    private static final int MAJOR_NEW = 50;
    private static final int MAJOR_TARGET = 52;
    private static final int MAJOR_AT = 7;
    private static final String CLASS = ".class";
    private static final String VERSIONS = "META-INF/";

    private AotJars() {}

    /** Writes the jars that are needed into a folder. Returns the class path of the same order that has them. */
    static List<Path> write(List<Path> classPath, Path folder) throws IOException {
        List<Path> result = new ArrayList<>();
        int number = 0;
        for (Path entry : classPath) {
            number++;
            Path jar = folder.resolve(String.format("%02d.jar", number));
            if (Files.isDirectory(entry)) {
                pack(entry, jar);
                result.add(jar);
            } else if (isOld(entry)) {
                renew(entry, jar);
                result.add(jar);
            } else {
                result.add(entry);
            }
        }
        return result;
    }

    private static void pack(Path folder, Path jar) throws IOException {
        try (ZipOutputStream out = open(fresh(jar)); Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted().toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                if (Files.isDirectory(file)) {
                    if (!name.isEmpty()) {
                        put(out, name + "/", new byte[0]);      // some code lists the resources of a folder
                    }
                } else {
                    put(out, name, Files.readAllBytes(file));
                }
            }
        }
        Files.move(fresh(jar), jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns whether the first class of a jar is of the old format. */
    private static boolean isOld(Path jar) throws IOException {
        try (ZipFile in = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(in.entries())) {
                if (entry.getName().endsWith(CLASS) && !entry.getName().startsWith(VERSIONS)) {
                    return isOld(in.getInputStream(entry).readNBytes(MAJOR_AT + 1));
                }
            }
        }
        return false;
    }

    private static boolean isOld(byte[] head) {
        return head.length > MAJOR_AT && (head[MAJOR_AT - 1] & 0xFF) == 0 && (head[MAJOR_AT] & 0xFF) < MAJOR_NEW;
    }

    private static void renew(Path source, Path jar) throws IOException {
        try (ZipFile in = new ZipFile(source.toFile()); ZipOutputStream out = open(fresh(jar));
             URLClassLoader classes = new URLClassLoader(new URL[] {source.toUri().toURL()}, null)) {
            ClassHierarchyResolver parents = ClassHierarchyResolver.ofResourceParsing(classes)
                .orElse(ClassHierarchyResolver.defaultResolver()).cached();
            ClassFile format = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(parents),
                ClassFile.StackMapsOption.GENERATE_STACK_MAPS, ClassFile.ConstantPoolSharingOption.NEW_POOL);
            ClassTransform version = (builder, element) -> {
                if (element instanceof ClassFileVersion) {
                    builder.withVersion(MAJOR_TARGET, 0);
                } else {
                    builder.with(element);
                }
            };
            ClassTransform all = version.andThen(ClassTransform.transformingMethodBodies(
                (builder, element) -> builder.with(element))); // or code would be copied as it is
            for (ZipEntry entry : Collections.list(in.entries())) {
                byte[] bytes = in.getInputStream(entry).readAllBytes();
                if (entry.getName().endsWith(CLASS) && isOld(bytes)) {
                    ClassModel model = format.parse(bytes);
                    bytes = model.flags().has(AccessFlag.MODULE) ? bytes : format.transformClass(model, all);
                }
                put(out, entry.getName(), bytes);
            }
        }
        Files.move(fresh(jar), jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path fresh(Path jar) {
        return jar.resolveSibling(jar.getFileName() + ".new");
    }

    private static ZipOutputStream open(Path jar) throws IOException {
        ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)));
        out.setLevel(0);
        return out;
    }

    private static void put(ZipOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(bytes);
        out.closeEntry();
    }
}
