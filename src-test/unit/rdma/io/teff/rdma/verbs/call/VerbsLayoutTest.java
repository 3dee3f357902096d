package io.teff.rdma.verbs.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Project;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the layout of structs is that of the headers of rdma-core. Method: a C program prints the offsets that the
 * installed headers have; it names each constant of the layout, also where no headers are installed.
 */
final class VerbsLayoutTest {
    private static final String SOURCE = "src-test/unit/rdma/io/teff/rdma/verbs/offsets.c";
    private static final Pattern NAME = Pattern.compile("(?:AT|SIZE)\\(([A-Z0-9_]+),|\"([A-Z0-9_]+) %zu");
    private static final List<Path> HEADERS = List.of(Path.of("/usr/include/infiniband/verbs.h"),
        Path.of("/usr/include/rdma/rdma_cma.h"));
    private static final Path COMPILER = Path.of("/usr/bin/cc");

    private static Map<String, Long> constants() throws IllegalAccessException {
        Map<String, Long> found = new TreeMap<>();
        for (Field field : VerbsLayout.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && field.getType() != boolean.class) {
                field.setAccessible(true);
                found.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        return found;
    }

    @Test
    void program_namesEachConstant() throws IOException, IllegalAccessException {
        Map<String, Long> constants = constants();
        assertTrue(constants.size() > 100, constants::toString);
        Matcher names = NAME.matcher(Files.readString(Project.file(SOURCE)));
        while (names.find()) {
            constants.remove(names.group(1) == null ? names.group(2) : names.group(1));
        }
        assertEquals(Map.of(), constants, "not in offsets.c");
    }

    @Test
    void offsets_ofTheInstalledHeaders_areThoseOfTheLayout(@TempDir Path folder)
            throws IOException, InterruptedException, IllegalAccessException {
        assumeTrue(HEADERS.stream().allMatch(Files::exists) && Files.exists(COMPILER),
            "no headers: apt-get install gcc libibverbs-dev librdmacm-dev");
        Path program = folder.resolve("offsets");
        ChildProcess.Result compiled = ChildProcess.run(folder, Map.of("PATH", "/usr/bin:/bin"),
            List.of(COMPILER.toString(), "-o", program.toString(), Project.file(SOURCE).toString()));
        assertEquals(0, compiled.exitCode(), compiled::errors);
        ChildProcess.Result printed = ChildProcess.run(folder, Map.of(), List.of(program.toString()));
        Map<String, Long> expected = new TreeMap<>();
        printed.output().lines().map(line -> line.split(" ")).forEach(words -> expected.put(words[0],
            Long.parseLong(words[1])));
        Map<String, Long> constants = constants();
        // What the library fills has room for fields that later versions append.
        constants.forEach((name, value) -> {
            if (isFilledByTheLibrary(name)) {
                long size = expected.get(name);
                assertTrue(value >= size, () -> name + " " + value + " < " + size);
                expected.put(name, value);
            }
        });
        assertEquals(expected, constants);
    }

    private static boolean isFilledByTheLibrary(String name) {
        return List.of("QP_INIT_SIZE", "QP_ATTR_SIZE", "SRQ_INIT_SIZE", "SRQ_ATTR_SIZE", "PORT_SIZE", "DEVICE_SIZE",
            "ASYNC_SIZE").contains(name);
    }
}
