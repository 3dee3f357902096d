package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: a codec that changes the collection that it works for is refused where it would do harm.
 *
 * <p>Method: the codec does something once, while it reads or writes under a change.
 */
final class ReentrantCodecTest {
    private static final int COUNT = 2000;

    /** Does something once. */
    private static final class Meddling implements Codec<String> {
        private Runnable onWrite = () -> { };
        private Runnable onRead = () -> { };

        @Override
        public void write(String value, Output out) {
            Runnable action = onWrite;
            onWrite = () -> { };
            action.run();
            out.putString(value);
        }

        @Override
        public String read(Input in) {
            Runnable action = onRead;
            onRead = () -> { };
            action.run();
            return in.getString();
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    @Test
    void map_changesOfTheSameKey_areRefused() {
        Meddling codec = new Meddling();
        try (Store store = Store.open()) {
            ChunkMap<String, String> map = store.map("map", Codecs.STRING, codec);
            map.put("a", "1");
            codec.onWrite = () -> map.remove("a");
            assertThrows(IllegalStateException.class, () -> map.merge("a", "2", (x, y) -> x + y));
            codec.onWrite = map::clear;
            assertThrows(IllegalStateException.class, () -> map.merge("a", "2", (x, y) -> x + y));
            assertEquals("1", map.get("a"));
            map.audit();
            store.audit();
        }
    }

    /** The map grows under a change of a bucket that would be split. */
    @Test
    void map_growsUnderAChange_withoutHarm() {
        Meddling codec = new Meddling();
        try (Store store = Store.open()) {
            ChunkMap<String, String> map = store.map("map", Codecs.STRING, codec);
            map.put("a", "1");
            for (int round = 0; round < 20; round++) {
                int number = round;
                codec.onWrite = () -> {
                    for (int i = 0; i < COUNT; i++) {
                        try {
                            map.put(number + " " + i, "x".repeat(i % 20));
                        } catch (IllegalStateException e) {
                            // the lane of the change
                        }
                    }
                };
                map.merge("a", "2", (x, y) -> x + y);
                map.audit();
            }
            store.audit();
        }
    }

    @Test
    void list_changes_areRefused() {
        Meddling codec = new Meddling();
        try (Store store = Store.open()) {
            ChunkList<String> list = store.list("list", codec);
            for (int i = 0; i < COUNT; i++) {
                list.add("e" + i);
            }
            codec.onRead = list::clear;
            assertThrows(IllegalStateException.class, () -> list.set(5, "x"));
            codec.onRead = () -> list.remove(7);
            assertThrows(IllegalStateException.class, () -> list.remove(5));
            codec.onRead = () -> store.names().drop("list");
            assertThrows(IllegalStateException.class, () -> list.remove(5));
            assertEquals("e5", list.get(5));
            assertEquals(COUNT, list.size());
            list.audit();
            store.audit();
        }
    }
}
