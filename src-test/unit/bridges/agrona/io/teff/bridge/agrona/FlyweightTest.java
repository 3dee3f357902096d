package io.teff.bridge.agrona;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.bridge.agrona.flyweight.MessageHeaderDecoder;
import io.teff.bridge.agrona.flyweight.MessageHeaderEncoder;
import io.teff.bridge.agrona.flyweight.Side;
import io.teff.bridge.agrona.flyweight.TradeDecoder;
import io.teff.bridge.agrona.flyweight.TradeEncoder;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: flyweights that SBE's own generator made work on chunks and on values of maps as they do on Agrona's buffer.
 *
 * <p>Method: the same message is encoded into an UnsafeBuffer and in place; the bytes must be the same.
 */
@Tag("modes")
final class FlyweightTest {
    private static final byte[] PAYLOAD = "some bytes".getBytes(StandardCharsets.US_ASCII);
    private static final int FILLS = 3;

    private final ChunkBuffer buffer = new ChunkBuffer();
    private final MutableChunkBuffer mutable = new MutableChunkBuffer();
    private final TradeDecoder decoder = new TradeDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();

    @Test
    void encoder_onAChunk_writesWhatItWritesToAnUnsafeBuffer() {
        byte[] expected = message(1);
        try (Store store = Store.open()) {
            long cid = store.create((long) expected.length);
            store.views().edit(cid, editor -> assertEquals(expected.length, encode(mutable.on(editor), 1)));
            assertArrayEquals(expected, store.chunks().get(cid).orElseThrow());
            store.audit();
        }
    }

    @Test
    void decoder_onAChunk_readsEverythingInPlace() {
        try (Store store = Store.open()) {
            long cid = store.create(message(4711));
            assertTrue(store.views().read(cid, view -> check(buffer.on(view), 4711)) > 0);
            assertTrue(store.views().peek(cid, view -> check(buffer.on(view), 4711)) > 0);
        }
    }

    @Test
    void flyweights_onValuesOfMaps_readAndChangeInPlace() {
        try (Store store = Store.open()) {
            ChunkMap<String, byte[]> map = store.map("trades", Codecs.STRING, Codecs.BYTES);
            ChunkSortedMap<Long, byte[]> sorted = store.sortedMap("sorted", Codecs.LONG, Codecs.BYTES);
            for (int i = 0; i < 1000; i++) {
                map.put("trade " + i, message(i));
                sorted.put((long) i, message(i));
            }
            for (int i = 0; i < 1000; i++) {
                int number = i;
                assertTrue(map.read("trade " + i, view -> check(buffer.on(view), number)));
                assertTrue(sorted.read((long) i, view -> check(buffer.on(view), number)));
                assertTrue(map.update("trade " + i, editor -> encode(mutable.on(editor), number + 1)));
                assertTrue(sorted.update((long) i, editor -> encode(mutable.on(editor), number + 1)));
                assertArrayEquals(message(i + 1), map.get("trade " + i));
                assertArrayEquals(message(i + 1), sorted.get((long) i));
            }
            assertFalse(map.read("none", view -> { }));
            store.audit();
        }
    }

    @Test
    void decoder_afterItsScope_throwsAndReachesNothing() {
        try (Store store = Store.open()) {
            long cid = store.create(message(5));
            store.views().read(cid, view -> decoder.wrapAndApplyHeader(buffer.on(view), 0, header));
            assertThrows(IllegalStateException.class, decoder::price);
            store.remove(cid);
            assertThrows(IllegalStateException.class, decoder::number);
        }
        assertThrows(IllegalStateException.class, decoder::number);
    }

    @Test
    void encoder_afterItsScope_throwsAndChangesNothing() {
        try (Store store = Store.open()) {
            byte[] before = message(5);
            long cid = store.create(before);
            TradeEncoder encoder = new TradeEncoder();
            store.views().edit(cid, editor -> encoder.wrap(mutable.on(editor), MessageHeaderEncoder.ENCODED_LENGTH));
            assertThrows(IllegalStateException.class, () -> encoder.price(1));
            assertArrayEquals(before, store.chunks().get(cid).orElseThrow());
        }
    }

    @Test
    void data_wrappedInPlace_endsWithTheScope() {
        try (Store store = Store.open()) {
            long cid = store.create(message(5));
            ChunkBuffer payload = new ChunkBuffer();
            store.views().read(cid, view -> {
                decoder.wrapAndApplyHeader(buffer.on(view), 0, header);
                decoder.sbeSkip();
                decoder.sbeRewind();
                decoder.fills().forEach(fill -> fill.amount());
                decoder.skipNote();
                decoder.wrapPayload(payload);
                assertEquals(PAYLOAD.length, payload.capacity());
                assertEquals(0, payload.compareTo(new UnsafeBuffer(PAYLOAD)));
                assertThrows(IndexOutOfBoundsException.class, () -> payload.getByte(PAYLOAD.length));
            });
            assertThrows(IllegalStateException.class, () -> payload.getByte(0));
        }
    }

    @Test
    void encoder_onAChunkThatIsTooShort_throwsAndStaysInside() {
        try (Store store = Store.open()) {
            byte[] message = message(1);
            long cid = store.create((long) message.length - 1);
            long behind = store.create(new byte[message.length]);
            assertThrows(IndexOutOfBoundsException.class,
                () -> store.views().edit(cid, editor -> encode(mutable.on(editor), 1)));
            assertArrayEquals(new byte[message.length], store.chunks().get(behind).orElseThrow());
            store.audit();
        }
    }

    private void check(ChunkBuffer from, int number) {
        decoder.wrapAndApplyHeader(from, 0, header);
        assertEquals(number, decoder.number());
        assertEquals(number * 0.5, decoder.price());
        assertEquals(-number, decoder.quantity());
        assertEquals(number % 2 == 0 ? Side.BUY : Side.SELL, decoder.side());
        assertEquals("TEFF", decoder.symbol());
        int count = 0;
        for (TradeDecoder.FillsDecoder fill : decoder.fills()) {
            assertEquals(number + count, fill.amount());
            assertEquals(1L << 40, fill.at());
            count++;
        }
        assertEquals(FILLS, count);
        assertEquals("größer", decoder.note());
        byte[] payload = new byte[PAYLOAD.length];
        assertEquals(PAYLOAD.length, decoder.getPayload(payload, 0, payload.length));
        assertArrayEquals(PAYLOAD, payload);
    }

    private static int encode(MutableDirectBuffer target, int number) {
        TradeEncoder encoder = new TradeEncoder().wrapAndApplyHeader(target, 0, new MessageHeaderEncoder());
        encoder.number(number).price(number * 0.5).quantity(-number).side(number % 2 == 0 ? Side.BUY : Side.SELL)
            .symbol("TEFF");
        TradeEncoder.FillsEncoder fills = encoder.fillsCount(FILLS);
        for (int i = 0; i < FILLS; i++) {
            fills.next().amount(number + i).at(1L << 40);
        }
        encoder.note("größer").putPayload(PAYLOAD, 0, PAYLOAD.length);
        return MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    }

    private static byte[] message(int number) {
        byte[] room = new byte[200];
        return Arrays.copyOf(room, encode(new UnsafeBuffer(room), number));
    }
}
