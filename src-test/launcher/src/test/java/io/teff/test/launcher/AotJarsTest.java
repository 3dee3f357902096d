package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: jars that can be archived, with classes that do the same. Method: a class of Java 5 is run. */
final class AotJarsTest {
    private static final int JAVA_5 = 49;
    private static final int MAJOR_AT = 7;

    @TempDir
    private Path home;

    /** A class of Java 5 with a branch, which has no stack maps. */
    private static byte[] old() {
        return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS).build(ClassDesc.of("Old"), builder -> builder
            .withVersion(JAVA_5, 0).withFlags(ClassFile.ACC_PUBLIC)
            .withMethodBody("larger", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int,
                ConstantDescs.CD_int), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> {
                    var isSecond = code.newLabel();
                    code.iload(0).iload(1).if_icmplt(isSecond).iload(0).ireturn();
                    code.labelBinding(isSecond).iload(1).ireturn();
                }));
    }

    @Test
    void foldersBecomeJarsAndOtherJarsStay() throws IOException {
        Path classes = Files.createDirectories(home.resolve("classes/a"));
        Files.writeString(classes.resolve("file.txt"), "text");
        Path jar = home.resolve("current.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("file.txt"));
        }
        List<Path> path = AotJars.write(List.of(home.resolve("classes"), jar), Files.createDirectory(
            home.resolve("out")));
        assertEquals(List.of(home.resolve("out/01.jar"), jar), path);
        try (ZipFile in = new ZipFile(path.getFirst().toFile())) {
            assertEquals("text", new String(in.getInputStream(in.getEntry("a/file.txt")).readAllBytes(),
                StandardCharsets.UTF_8));
        }
    }

    @Test
    void oldClassesGetStackMapsAndDoTheSame() throws Exception {
        Path jar = home.resolve("old.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("Old.class"));
            out.write(old());
        }
        Path renewed = AotJars.write(List.of(jar), home).getFirst();
        try (ZipFile in = new ZipFile(renewed.toFile())) {
            assertEquals(52, in.getInputStream(in.getEntry("Old.class")).readAllBytes()[MAJOR_AT]);
        }
        try (URLClassLoader loader = new URLClassLoader(new URL[] {renewed.toUri().toURL()}, null)) {
            Class<?> type = loader.loadClass("Old");
            assertEquals(7, type.getMethod("larger", int.class, int.class).invoke(null, 7, 3));
            assertEquals(8, type.getMethod("larger", int.class, int.class).invoke(null, 7, 8));
        }
    }
}
