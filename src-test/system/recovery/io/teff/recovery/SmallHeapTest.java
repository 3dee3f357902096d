package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.recovery.tool.LogTool;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a store opens with the heap and the direct memory with which it has run, 32 MiB of each, however it was left.
 * Method: child JVMs with that heap, which also limits direct memory. One fills several zones and files of frames and
 * is killed; the next ones open the store.
 */
@Tag("system")
@Tag("processes")
@FullTier("60 s: JVMs with a small heap that write and are killed. ShortMemoryTest opens full stores with the "
    + "memory that they had.")
final class SmallHeapTest {
    private static final int HEAP_MIB = 32;
    private static final int NID = 9;
    private static final int ZONES = 6;
    private static final int ZONE_SHIFT = 20;
    private static final int CHUNKS = 200;
    private static final int CHUNK_BYTES = 4000;
    /** Rewrites of a chunk: three files of frames, five in the long form. */
    private static final int ROUNDS = Form.size(40, 80);
    private static final int KILLED = 7;

    @TempDir
    private Path temporary;

    /** The child. */
    public static final class Child {
        private Child() {}

        /** Runs one step on a folder. */
        public static void main(String[] arguments) throws IOException {
            final Path folder = Path.of(arguments[1]);
            switch (arguments[0]) {
                case "write" -> write(folder);
                case "open" -> {
                    try (DurableStore durable = DurableStore.open(folder, config())) {
                        check(durable.store());
                        durable.audit();
                    }
                }
                case "read" -> {
                    try (ReadOnlyStore read = DurableStore.openReadOnly(folder, config())) {
                        check(read.store());
                    }
                }
                default -> System.out.println(LogTool.read(folder, "a test", (_, _) -> { }).damage());
            }
        }

        private static DurableConfig config() {
            return DurableConfig.builder().restoreThreads(ZONES).skipBytes(Integer.MAX_VALUE)
                .store(StoreConfig.builder().nid(NID).memoryLimitBytes(64 << 20).build()).build();
        }

        private static long cid(int zone, int chunk) {
            return Cid.of(NID + 1, ((long) zone << ZONE_SHIFT) + 1 + chunk);
        }

        private static byte[] content(int zone, int chunk, int round) {
            final byte[] bytes = new byte[CHUNK_BYTES];
            Arrays.fill(bytes, (byte) (zone * 31 + chunk * 7 + round));
            return bytes;
        }

        private static void write(Path folder) {
            final Store store = DurableStore.open(folder, config()).store();
            for (int round = 0; round < ROUNDS; round++) {
                for (int chunk = 0; chunk < CHUNKS; chunk++) {
                    for (int zone = 0; zone < ZONES; zone++) {
                        final byte[] bytes = content(zone, chunk, round);
                        if (round == 0) {
                            store.ids().createAt(cid(zone, chunk), bytes);
                        } else {
                            store.put(cid(zone, chunk), bytes);
                        }
                    }
                }
            }
            Runtime.getRuntime().halt(KILLED);
        }

        private static void check(Store store) {
            final byte[] bytes = new byte[CHUNK_BYTES];
            for (int chunk = 0; chunk < CHUNKS; chunk++) {
                for (int zone = 0; zone < ZONES; zone++) {
                    store.get(cid(zone, chunk), bytes);
                    if (!Arrays.equals(bytes, content(zone, chunk, ROUNDS - 1))) {
                        throw new AssertionError("zone " + zone + ", chunk " + chunk);
                    }
                }
            }
        }
    }

    private void run(String step, int exitCode) throws IOException, InterruptedException {
        final ChildProcess.Result result = ChildProcess.java(Path.of("").toAbsolutePath(), "-Xmx" + HEAP_MIB + "m",
            "--enable-native-access=ALL-UNNAMED", "-cp", ChildProcess.everything(), Child.class.getName(), step,
            temporary.resolve("data").toString());
        assertEquals(exitCode, result.exitCode(), () -> step + ": " + result.output() + result.errors());
    }

    @Test
    void killedStore_isOpenedWithTheMemoryItHasRunWith() throws Exception {
        run("write", KILLED);
        run("inspect", 0);
        run("read", 0);
        run("open", 0);
        run("open", 0);
    }
}
