package io.teff.bridge.chronicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import net.openhft.chronicle.bytes.BytesMarshallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: objects that know how to become bytes in Chronicle's way are keys, values and elements of collections.
 *
 * <p>Method: maps beside a HashMap, with objects of many lengths; then bytes that are cut, lengthened or of another
 * class.
 */
@Tag("modes")
final class ChronicleCodecTest {
    private final Codec<Position> positions = ChronicleCodec.of(Position.class, Position::new);
    private final Codec<Pair> pairs = ChronicleCodec.of(Pair.class, Pair::new);

    /** Like Position, but with other fields. */
    static final class Changed implements BytesMarshallable {
        int quantity;
    }

    @Test
    void map_withChroniclesObjects_isAMapOfThem() {
        try (Store store = Store.open()) {
            ChunkMap<Pair, Pair> map = store.map("pairs", pairs, pairs);
            Map<Pair, Pair> model = new HashMap<>();
            for (int i = 0; i < 3000; i++) {
                Pair key = new Pair(i * 37L % 1000 - 500, "key");
                Pair value = new Pair(Long.MAX_VALUE >> i % 64, "\u20ac\u00e4x".repeat(i % 50 * (i % 20)));
                assertEquals(model.put(key, value), map.put(key, value));
            }
            assertEquals(model, map);
            for (Pair key : model.keySet()) {
                assertEquals(model.get(key), map.remove(key));
                assertNull(map.get(key));
            }
            assertTrue(map.isEmpty());
            store.audit();
        }
    }

    @Test
    void value_whoseFieldsChronicleWrites_comesBackAsANewObject() {
        try (Store store = Store.open()) {
            ChunkMap<String, Position> map = store.map("positions", Codecs.STRING, positions);
            Position put = new Position("TEFF", -4711, 0.25);
            map.put("mine", put);
            put.readings();
            Position got = map.get("mine");
            assertEquals("TEFF -4711 0.25", got.symbol() + " " + got.quantity() + " " + got.price());
            assertEquals(1, got.readings());
            map.compute("mine", (key, old) -> new Position(old.symbol(), old.quantity() + 1, old.price()));
            assertEquals(-4710, map.get("mine").quantity());
        }
    }

    @Test
    void collections_ofOtherKinds_takeTheCodecToo() {
        try (Store store = Store.open()) {
            for (int i = 0; i < 300; i++) {
                store.list("list", pairs).add(new Pair(i, "x".repeat(i)));
                store.set("set", pairs).add(new Pair(i % 10, "same"));
                store.queue("queue", pairs).add(new Pair(i, ""));
            }
            assertEquals(new Pair(299, "x".repeat(299)), store.list("list", pairs).get(299));
            assertEquals(10, store.set("set", pairs).longSize());
            assertEquals(new Pair(0, ""), store.queue("queue", pairs).poll());
            store.audit();
        }
    }

    @Test
    void map_afterARestore_isFoundWithTheSameCodecOnly(@TempDir Path folder) {
        Path file = folder.resolve("snapshot");
        try (Store store = Store.open()) {
            store.map("positions", Codecs.STRING, positions).put("mine", new Position("TEFF", 1, 2));
            store.snapshot(file);
        }
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            Codec<Changed> changed = ChronicleCodec.of(Changed.class, Changed::new);
            assertThrows(IllegalArgumentException.class, () -> store.map("positions", Codecs.STRING, changed));
            Codec<Position> again = ChronicleCodec.of(Position.class, Position::new);
            assertEquals("TEFF", store.map("positions", Codecs.STRING, again).get("mine").symbol());
        }
    }

    @Test
    void describe_namesTheFieldsThatChronicleWritesInItsOrder() {
        assertEquals("chronicle-bytes " + Position.class.getName()
            + " { java.lang.String symbol; long quantity; double price; }", positions.describe());
        assertEquals("chronicle-bytes " + Pair.class.getName(), pairs.describe());
        assertNotEquals(positions.fingerprint(), pairs.fingerprint());
        assertEquals(positions.fingerprint(), ChronicleCodec.of(Position.class, Position::new).fingerprint());
        assertEquals(-1, positions.fixedBytes());
    }

    @Test
    void write_behindOtherBytes_leavesThemAlone() {
        Output out = Output.growing(2);
        out.putInt(42);
        pairs.write(new Pair(7, "seven"), out);
        byte[] bytes = out.toByteArray();
        assertEquals(42, bytes[0]);
        Input in = new Input(bytes, 4, bytes.length - 4);
        assertEquals(new Pair(7, "seven"), pairs.read(in));
        assertEquals(0, in.left());
        assertThrows(IndexOutOfBoundsException.class,
            () -> pairs.write(new Pair(7, "seven"), Output.over(new byte[20], 3, 5)));
    }

    @Test
    void read_ofBytesThatAreCutOrTooMany_isMalformed() {
        Output out = Output.growing(64);
        positions.write(new Position("TEFF", 1L << 40, 0.5), out);
        byte[] bytes = out.toByteArray();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(MalformedException.class, () -> positions.read(new Input(cut, 0, cut.length)), "" + length);
            Input window = new Input(bytes, 0, length);         // what is behind the window is not seen
            assertThrows(MalformedException.class, () -> positions.read(window), length + " bytes");
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThrows(MalformedException.class, () -> positions.read(new Input(longer, 0, longer.length)));
    }

    @Test
    void analytics_ofChronicle_areAbsentAndOff() {
        assertEquals("true", System.getProperty("chronicle.analytics.disable"));
        assertThrows(ClassNotFoundException.class, () -> Class.forName("net.openhft.chronicle.analytics.Analytics"));
        assertFalse(net.openhft.chronicle.core.analytics.AnalyticsFacade.isEnabled());
    }
}
