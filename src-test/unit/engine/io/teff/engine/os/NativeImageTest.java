package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.teff.engine.Store;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.InterfaceMethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Goal: the metadata for native images names the shape of every call of the C library. Method: the class files say
 * which classes link calls; the handles of those classes say the shapes, which are compared with the file.
 */
final class NativeImageTest {
    private static final String FILE = "META-INF/native-image/io.teff/teff-engine/reachability-metadata.json";
    private static final Pattern CALL = Pattern.compile(
        "\"returnType\": \"(.*?)\", \"parameterTypes\": \\[(.*?)](.*\"captureCallState\": true)?");
    private static final List<String> LINKS = List.of("downcallHandle", "upcallStub");

    @Test
    void metadata_namesTheShapeOfEveryCall() throws Exception {
        Set<String> shapes = new TreeSet<>();
        for (String name : linkingClasses()) {
            for (Field field : Class.forName(name).getDeclaredFields()) {
                if (field.getType() == MethodHandle.class && Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    shapes.add(shape(((MethodHandle) field.get(null)).type()));
                }
            }
        }
        assertEquals(String.join("\n", shapes), String.join("\n", inFile()));
    }

    /** The state that a call captures has a place in front of the arguments; only paths are addresses beside it. */
    private static String shape(MethodType type) {
        List<String> arguments = type.parameterList().stream().map(NativeImageTest::name).toList();
        boolean isCapturing = !arguments.isEmpty() && arguments.getFirst().equals("void*");
        return name(type.returnType()) + arguments.subList(isCapturing ? 1 : 0, arguments.size())
            + (isCapturing ? " errno" : "");
    }

    private static String name(Class<?> type) {
        return type == MemorySegment.class ? "void*" : type == void.class ? "void" : "j" + type.getName();
    }

    private static Set<String> inFile() throws IOException {
        try (InputStream stream = Store.class.getClassLoader().getResourceAsStream(FILE)) {
            assertNotNull(stream, FILE);
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().map(CALL::matcher).filter(it -> it.find()).map(it -> it.group(1) + "["
                + it.group(2).replace("\"", "") + "]" + (it.group(3) == null ? "" : " errno"))
                .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static List<String> linkingClasses() throws Exception {
        Path classes = Path.of(Store.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            List<String> found = files.filter(it -> it.toString().endsWith(".class")).filter(NativeImageTest::isLinking)
                .map(it -> classes.relativize(it).toString().replace(".class", "").replace('/', '.')).sorted().toList();
            assertEquals(List.of(LinuxFile.class.getName() + "$Calls", LinuxMemory.class.getName() + "$Calls",
                ProcessSession.class.getName() + "$Calls"), found, "the classes that link calls");
            return found;
        }
    }

    private static boolean isLinking(Path file) {
        try {
            return StreamSupport.stream(ClassFile.of().parse(file).constantPool().spliterator(), false)
                .anyMatch(NativeImageTest::isLink);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLink(PoolEntry entry) {
        return entry instanceof InterfaceMethodRefEntry method && LINKS.contains(method.name().stringValue())
            && method.owner().asInternalName().equals("java/lang/foreign/Linker");
    }
}
