package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.test.kit.ChildJvm;
import io.teff.test.kit.Threads;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: a process with a store that was not closed ends, and reports a lost store. Method: child JVMs. */
@Tag("system")
@Tag("modes")
@Tag("processes")
final class StoreProcessTest {
    @Test
    void process_endsAlthoughAStoreIsOpen() throws InterruptedException {
        ChildJvm.Result result = ChildJvm.run(LeavesOpen.class);
        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("ready"), result.output());
    }

    @Test
    void forgottenStore_isClosedWithAWarningThatNamesThePlace() throws InterruptedException {
        ChildJvm.Result result = ChildJvm.run(Forgets.class);
        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("store lost was not closed"), result.output());
        assertTrue(result.output().contains("Forgets.open"), result.output());
        assertFalse(result.output().contains("store kept"), result.output());
    }

    /** A program that ends with an open store. */
    static final class LeavesOpen {
        private LeavesOpen() {}

        public static void main(String[] arguments) {
            Store store = Store.open();
            store.snapshot(Path.of("output.teff"));
            System.out.println("ready " + store.get(store.create(new byte[3]), new byte[3]));
        }
    }

    /** A program that loses one of two stores. */
    static final class Forgets {
        private Forgets() {}

        private static long open() {
            return Store.open(StoreConfig.builder().name("lost").build()).create(new byte[10]);
        }

        public static void main(String[] arguments) {
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
            try (Store kept = Store.open(StoreConfig.builder().name("kept").build())) {
                Ids ids = kept.ids();
                open();
                Threads.await("the message", () -> {
                    System.gc();
                    ids.reserve();
                    return log.toString(StandardCharsets.UTF_8).contains("store lost was not closed");
                });
            }
            System.out.print(log.toString(StandardCharsets.UTF_8));
        }
    }
}
