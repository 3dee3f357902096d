package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: the modules and the age of their builds follow from the poms. Method: a small repository of three modules. */
final class ModulesTest {
    @TempDir
    private Path root;

    @BeforeEach
    void makeARepository() throws IOException {
        write("pom.xml", "<project><modules><!-- <module>gone</module> --><module>base</module>"
            + "<module>group</module></modules></project>");
        write("base/pom.xml", "<project><parent><artifactId>p</artifactId></parent><artifactId>base-a</artifactId>"
            + "<name>Base</name></project>");
        write("group/pom.xml", "<project><packaging>pom</packaging><modules><module>top</module></modules></project>");
        write("group/top/pom.xml", "<project><parent><artifactId>p</artifactId></parent>"
            + "<artifactId>top-a</artifactId><name>Top</name>"
            + "<properties><tests>${project.basedir}/../../src-test/unit/top</tests></properties>"
            + "<dependencies><dependency><groupId>io.teff</groupId><artifactId>base-a</artifactId></dependency>"
            + "<dependency><groupId>io.teff</groupId><artifactId>kit</artifactId><scope>test</scope></dependency>"
            + "</dependencies><build><testSourceDirectory>${tests}</testSourceDirectory>"
            + "<compileSourceRoots><root>${tests}</root>"
            + "<root>${project.basedir}/../../src-test/system/top</root></compileSourceRoots></build></project>");
        write("base/src/main/java/A.java", "class A {}");
        write("group/top/src/main/java/B.java", "class B {}");
    }

    private Path write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    @Test
    void modules_areThoseOfThePoms_alsoOfNestedOnes() throws IOException {
        Modules modules = Modules.read(root);
        assertEquals(List.of("base", "group/top"), modules.all().stream().map(Module::folder).toList());
        Module top = modules.in("group/top");
        assertEquals("Top", top.name());
        assertEquals(List.of("base-a", "kit"), top.needs());
        assertEquals(List.of("base-a"), top.needsAtRuntime());
        assertEquals(List.of(root.resolve("src-test/unit/top"), root.resolve("src-test/system/top")), top.tests());
        assertTrue(top.hasSystemTests());
        assertFalse(modules.in("base").hasSystemTests());
        assertEquals(List.of("base", "group/top"),
            modules.closure(top, true).stream().map(Module::folder).toList());
        assertNull(modules.in("gone"));
    }

    @Test
    void build_isFresh_untilASourceOfWhatItNeedsIsNewer() throws IOException {
        Modules modules = Modules.read(root);
        Module top = modules.in("group/top");
        assertFalse(Freshness.isFresh(root, modules, top), "never built");
        Path classes = Files.createDirectories(root.resolve("base/target/classes"));
        Path stamp = write("group/top/target/classpath.txt", classes.toString());
        FileTime later = FileTime.fromMillis(System.currentTimeMillis() + 60_000);
        Files.setLastModifiedTime(stamp, later);
        assertTrue(Freshness.isFresh(root, modules, top));
        Path source = root.resolve("base/src/main/java/A.java");
        Files.setLastModifiedTime(source, FileTime.fromMillis(later.toMillis() + 1000));
        assertFalse(Freshness.isFresh(root, modules, top), "a source is newer");
        Files.setLastModifiedTime(source, FileTime.fromMillis(later.toMillis() - 1000));
        Files.writeString(stamp, "/elsewhere/base/target/classes");
        Files.setLastModifiedTime(stamp, later);
        assertFalse(Freshness.isFresh(root, modules, top), "built in another folder");
    }
}
