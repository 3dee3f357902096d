package io.teff.bridge.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.test.kit.Starts;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a JVM without Chronicle's flags gets a message that names them, and one without Chronicle's checks has ours.
 *
 * <p>Method: JVMs are started without one flag each, and with the property that switches Chronicle's checks off.
 */
@Tag("system")
@Tag("processes")
@FullTier("JVMs, one for each set of flags. BridgePagesTest compares the flags of the page of Chronicle with "
    + "those that the bridge names, and runs the programs of the page with them.")
final class ChronicleFlagsTest {
    private static final String OTHERWISE = "Exception in thread";

    /** The program that the JVMs run. */
    static final class User {
        private User() {}

        /** Uses the bridge. */
        public static void main(String[] arguments) {
            try (Store store = Store.open()) {
                store.list("list", ChronicleCodec.of(Position.class, Position::new)).add(new Position("TEFF", 1, 2));
                store.views().edit(store.create(8L), ChunkBytes.editing(bytes -> bytes.writeLong(0, 1)));
                System.out.println("works");
            }
        }
    }

    /** Reads and writes across the end of a chunk. */
    static final class Trespasser {
        private Trespasser() {}

        /** Says what it gets for it. */
        public static void main(String[] arguments) {
            try (Store store = Store.open()) {
                store.views().edit(store.create(8L), ChunkBytes.editing(bytes -> {
                    for (long offset : new long[] {-1, 1, 8}) {
                        try {
                            bytes.readLong(offset);
                        } catch (BufferUnderflowException e) {
                            System.out.print("read ");
                        }
                        try {
                            bytes.writeLong(offset, 1);
                        } catch (BufferOverflowException e) {
                            System.out.print("write ");
                        }
                    }
                }));
            }
        }
    }

    @Test
    void jvm_inWhichChronicleDoesNotCheck_isCheckedNevertheless() throws Exception {
        List<String> flags = new ArrayList<>(ChronicleFlags.ALL);
        flags.add("-Dbytes.bounds.unchecked=true");
        assertEquals("read write read write read write ", run(flags, Trespasser.class).replaceAll("SLF4J.*\n", ""));
    }

    @Test
    void jvm_withAllFlags_worksAndWarnsOfNothing() throws Exception {
        assertEquals("works\n", run(ChronicleFlags.ALL, User.class).replaceAll("SLF4J.*\n", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {ChronicleFlags.OPENS, ChronicleFlags.UNSAFE})
    void jvm_withoutAFlag_failsWithItsName(String flag) throws Exception {
        List<String> flags = new ArrayList<>(ChronicleFlags.ALL);
        flags.remove(flag);
        if (flag.equals(ChronicleFlags.UNSAFE)) {
            flags.add(flag.replace("allow", "deny"));
        }
        String said = run(flags, User.class);
        assertTrue(said.startsWith(OTHERWISE), said);
        assertTrue(said.contains("does not work on this JVM without " + flag + ";"), said);
        ChronicleFlags.ALL.forEach(each -> assertTrue(said.contains(each), said));
    }

    @Test
    void refuse_ofSeveral_namesAll() {
        String said = assertThrows(IllegalStateException.class,
            () -> ChronicleFlags.refuse(ChronicleFlags.missing(false, "deny"))).getMessage();
        assertTrue(said.contains("without " + ChronicleFlags.OPENS + " " + ChronicleFlags.UNSAFE + ";"), said);
        assertEquals(List.of(), ChronicleFlags.missing(true, null));
        ChronicleFlags.refuse(List.of());
    }

    private static String run(List<String> flags, Class<?> program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", classPath, program.getName()));
        Starts.JVM.count();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return said;
    }
}
