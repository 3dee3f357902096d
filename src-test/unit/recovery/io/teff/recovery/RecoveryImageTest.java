package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Goal: the metadata for native images names each class that the module finds by name, and no other. Method: the class
 * files say which classes call {@code Class.forName}; the texts of these classes that are names of classes are compared
 * with the file. The module links no call of a library, and reads no members of classes.
 */
final class RecoveryImageTest {
    private static final String FILE = "META-INF/native-image/io.teff/teff-recovery/reachability-metadata.json";
    private static final Pattern TYPE = Pattern.compile("\"type\": \"(.*?)\"");
    /** Methods that would need entries of other kinds. */
    private static final Set<String> OTHERS = Set.of("downcallHandle", "upcallStub", "getDeclaredMethods",
        "getDeclaredFields", "getDeclaredConstructors", "getResourceAsStream", "newProxyInstance", "findVirtual",
        "findStatic");

    @Test
    void metadata_namesEachClassThatIsFoundByName() throws Exception {
        Set<String> named = new TreeSet<>();
        for (ClassModel model : models()) {
            Set<String> called = called(model);
            assertEquals(List.of(), OTHERS.stream().filter(called::contains).toList(),
                () -> model.thisClass().asInternalName());
            if (called.contains("forName")) {
                entries(model).filter(StringEntry.class::isInstance).map(it -> ((StringEntry) it).stringValue())
                    .filter(RecoveryImageTest::isClass).forEach(named::add);
            }
        }
        assertFalse(named.isEmpty());
        assertEquals(named, inFile());
    }

    private static Stream<PoolEntry> entries(ClassModel model) {
        return StreamSupport.stream(model.constantPool().spliterator(), false);
    }

    private static Set<String> called(ClassModel model) {
        return entries(model).filter(MemberRefEntry.class::isInstance)
            .map(it -> ((MemberRefEntry) it).name().stringValue()).collect(Collectors.toSet());
    }

    private static boolean isClass(String text) {
        try {
            return text.contains(".") && Class.forName(text, false, null) != null;
        } catch (ClassNotFoundException | LinkageError _) {
            return false;
        }
    }

    private static Set<String> inFile() throws IOException {
        try (InputStream stream = DurableStore.class.getClassLoader().getResourceAsStream(FILE)) {
            assertNotNull(stream, FILE);
            Matcher types = TYPE.matcher(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
            return types.results().map(it -> it.group(1)).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static List<ClassModel> models() throws Exception {
        Path classes = Path.of(DurableStore.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            return files.filter(it -> it.toString().endsWith(".class")).map(RecoveryImageTest::parsed).toList();
        }
    }

    private static ClassModel parsed(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
