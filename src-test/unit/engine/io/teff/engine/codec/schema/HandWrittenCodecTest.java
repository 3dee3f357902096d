package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.PartialWriter;
import io.teff.engine.codec.SchemaException;
import java.net.URI;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: hand-written codecs and mappings work wherever their values occur, at once, in windows and for other versions.
 *
 * <p>Method: types of the JDK that have no schema; lengths around those at which their LEB128 form takes another byte.
 */
final class HandWrittenCodecTest {
    /** Codec of a type without a schema: the bits as bytes, without the zero bytes at the end. */
    private static final class BitSetCodec implements Codec<BitSet> {
        private final long fingerprint;

        BitSetCodec(long fingerprint) {
            this.fingerprint = fingerprint;
        }

        @Override
        public void write(BitSet value, Output out) {
            byte[] bytes = value.toByteArray();
            out.putBytes(bytes, 0, bytes.length);
        }

        /** Reads to the end of the window, which the calling codec has narrowed to the value. */
        @Override
        public BitSet read(Input in) {
            byte[] bytes = new byte[in.left()];
            System.arraycopy(in.array(), in.take(bytes.length), bytes, 0, bytes.length);
            return BitSet.valueOf(bytes);
        }

        @Override
        public long fingerprint() {
            return fingerprint;
        }
    }

    record Page(String name, BitSet bits, List<BitSet> more, URI uri, Map<URI, BitSet> byUri) {}

    private static Schema.Builder<Page> builder() {
        return Schema.builder(Page.class).codec(BitSet.class, new BitSetCodec(1))
            .storeAs(URI.class, String.class, URI::toString, URI::create);
    }

    private static BitSet bits(int bytes) {
        BitSet bits = new BitSet();
        bits.set(bytes * 8 - 1);
        bits.set(3);
        return bits;
    }

    private static byte[] bytes(Schema<Page> schema, Page page) {
        Output out = Output.growing(1);
        out.putInt(42);                                         // so that the value does not start at offset 0
        schema.write(page, out);
        return Arrays.copyOfRange(out.toByteArray(), Integer.BYTES, out.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 126, 127, 128, 129, 16_383, 16_384, 100_000})
    void read_atOnceAndInWindows_returnsTheValue(int length) {
        Schema<Page> schema = builder().build();
        Page page = new Page("p", bits(length), Arrays.asList(bits(1), null, bits(length)), URI.create("a:b"),
            Map.of(URI.create("x:y"), bits(3)));
        byte[] bytes = bytes(schema, page);
        assertEquals(page, schema.read(new Input(bytes, 0, bytes.length)));
        PartialWriter<Page> writer = schema.partialWriter();
        writer.begin(page);
        PartialReader<Page> reader = schema.partialReader(bytes.length);
        byte[] window = new byte[7];
        for (int at = 0; !writer.isDone(); ) {
            int count = writer.write(window, 0, window.length);
            assertEquals(0, Arrays.compare(window, 0, count, bytes, at, at + count));
            assertEquals(count, reader.read(window, 0, count));
            at += count;
        }
        assertEquals(page, reader.value());
    }

    record OnlyName(String name, Integer added) {}

    record AsText(String name, String uri) {}

    @Test
    void readerOf_otherVersions_skipOrReadTheValues() {
        Page page = new Page("p", bits(300), List.of(bits(2)), URI.create("a:b"), Map.of());
        byte[] bytes = bytes(builder().build(), page);
        String description = builder().build().description();
        assertEquals(new OnlyName("p", null), Schema.of(OnlyName.class).readerOf(description)
            .read(new Input(bytes, 0, bytes.length)));
        assertEquals(new AsText("p", "a:b"), Schema.of(AsText.class).readerOf(description)
            .read(new Input(bytes, 0, bytes.length)));
        assertEquals(page, builder().build().evolved(description).read(new Input(bytes, 0, bytes.length)));
        Schema<Page> other = Schema.builder(Page.class).codec(BitSet.class, new BitSetCodec(2))
            .storeAs(URI.class, String.class, URI::toString, URI::create).build();
        assertTrue(assertThrows(SchemaException.class, () -> other.readerOf(description)).getMessage()
            .contains("Page.bits: was written as 1, which cannot be read as 2"));
    }

    record Amount(long cents, int scale) {}

    /** A class without a schema, so that it must be stored as another type. */
    private static final class Money {
        private final long cents;

        Money(long cents) {
            this.cents = cents;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Money money && cents == money.cents;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(cents);
        }
    }

    record Bill(Money net, int number, Money tax, List<Money> more) {}

    record LaterBill(List<Money> more, Money tax, Money net, long number, String added) {}

    record AmountBill(Amount net, Amount tax) {}

    record NumberBill(Long tax, List<Long> more) {}

    private static <T> Schema<T> withAmounts(Class<T> type) {
        return Schema.builder(type).storeAs(Money.class, Amount.class, money -> new Amount(money.cents, 2), amount ->
            new Money(amount.cents())).build();
    }

    private static <T> Schema<T> withNumbers(Class<T> type) {
        return Schema.builder(type).storeAs(Money.class, Long.class, money -> money.cents, Money::new).build();
    }

    private static <W, R> R across(Schema<W> writer, W value, Schema<R> reader) {
        Output out = Output.growing(1);
        writer.write(value, out);
        Input in = new Input(out.array(), 0, out.size());
        R read = reader.readerOf(writer.description()).read(in);
        assertEquals(0, in.left());
        return read;
    }

    @Test
    void storeAs_typeOfFixedSize_hasItsLayoutAndItsVersions() {
        Bill bill = new Bill(new Money(3), 4, new Money(5), Arrays.asList(new Money(6), null));
        LaterBill later = new LaterBill(Arrays.asList(new Money(6), null), new Money(5), new Money(3), 4, null);
        for (Schema<Bill> schema : List.of(withAmounts(Bill.class), withNumbers(Bill.class))) {
            assertEquals(bill, across(schema, bill, schema));
            assertEquals(bill, schema.evolved(schema.description()).read(new Input(bytesOf(schema, bill), 0,
                bytesOf(schema, bill).length)));
        }
        assertEquals(later, across(withAmounts(Bill.class), bill, withAmounts(LaterBill.class)));
        assertEquals(later, across(withNumbers(Bill.class), bill, withNumbers(LaterBill.class)));
        assertEquals(new AmountBill(new Amount(3, 2), new Amount(5, 2)), across(withAmounts(Bill.class), bill,
            Schema.of(AmountBill.class)));
        assertEquals(new NumberBill(5L, Arrays.asList(6L, null)), across(withNumbers(Bill.class), bill,
            Schema.of(NumberBill.class)));
        assertThrows(SchemaException.class, () -> withNumbers(Bill.class)
            .readerOf(withAmounts(Bill.class).description()));
    }

    private static <T> byte[] bytesOf(Schema<T> schema, T value) {
        Output out = Output.growing(1);
        schema.write(value, out);
        return out.toByteArray();
    }

    /** Codec with a mistake: it writes two bytes and reads one. */
    private static final class OneByteCodec implements Codec<BitSet> {
        @Override
        public void write(BitSet value, Output out) {
            out.putByte((byte) value.length());
            out.putByte((byte) 0);
        }

        @Override
        public BitSet read(Input in) {
            return BitSet.valueOf(new byte[] {in.getByte()});
        }

        @Override
        public long fingerprint() {
            return 3;
        }
    }

    record OneSet(BitSet bits) {}

    @Test
    void read_codecThatLeavesBytesUnread_isMalformed() {
        Schema<OneSet> schema = Schema.builder(OneSet.class).codec(BitSet.class, new OneByteCodec()).build();
        Output out = Output.growing(8);
        schema.write(new OneSet(bits(1)), out);
        for (boolean partially : new boolean[] {false, true}) {
            String message = assertThrows(MalformedException.class, () -> {
                if (partially) {
                    schema.partialReader(100).read(out.array(), 0, out.size());
                } else {
                    schema.read(new Input(out.array(), 0, out.size()));
                }
            }).getMessage();
            assertTrue(message.contains("java.util.BitSet"), message);
        }
    }

    @Test
    void read_storedValueThatIsRejected_isMalformed() {
        Schema<URI> schema = Schema.builder(URI.class).storeAs(URI.class, String.class, URI::toString, URI::create)
            .build();
        Output out = Output.growing(8);
        out.putString("no uri");
        assertThrows(MalformedException.class, () -> schema.read(new Input(out.array(), 0, out.size())));
    }

    @Test
    void builder_wrongTypes_throws() {
        assertThrows(SchemaException.class, () -> Schema.of(Page.class));
        assertThrows(SchemaException.class, () -> builder().codec(BitSet.class, new BitSetCodec(3)));
        assertTrue(assertThrows(SchemaException.class, () -> Schema.builder(OnlyName.class).codec(BitSet.class,
            new BitSetCodec(3)).build()).getMessage().contains("java.util.BitSet"));
        assertThrows(SchemaException.class, () -> Schema.builder(Page.class).storeAs(int.class, String.class,
            String::valueOf, Integer::valueOf));
        assertTrue(assertThrows(SchemaException.class, () -> Schema.builder(URI.class).storeAs(URI.class,
            URI.class, uri -> uri, uri -> uri).build()).getMessage().contains("stored as another type"));
    }
}
