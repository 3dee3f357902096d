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
 * Goal: a codec that changes the collection that calls it gets an exception wherever the change would do harm.
 *
 * <p>Method: the codec runs an action once, while it reads or writes within a change of the collection.
 */
final class ReentrantCodecTest {
    private static final int COUNT = 2000;

    /** Codec that runs an action at its next write, and one at its next read. */
    private static final class ActionCodec implements Codec<String> {
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
    void map_changeOfTheSameKey_throws() {
        ActionCodec codec = new ActionCodec();
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

    /** The map grows during a change of a bucket that would be split. */
    @Test
    void map_growthWithinAChange_keepsInvariants() {
        ActionCodec codec = new ActionCodec();
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
                            // the lock of the change covers this key
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
    void list_changeWithinAChange_throws() {
        ActionCodec codec = new ActionCodec();
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
