package io.teff.engine.query;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.map.EntryPart;
import org.jspecify.annotations.Nullable;

/** A value of a map as bytes, decoded when something needs the whole value. Not thread-safe. */
final class Row<V> {
    private final Codec<V> codec;
    private final Input in = new Input(new byte[0], 0, 0);
    private byte[] array = {};
    private int from;
    private int length;
    private @Nullable V decoded;

    Row(Codec<V> codec) {
        this.codec = codec;
    }

    /** Takes the bytes of a value, which must not change while this row is used. */
    Row<V> set(EntryPart value) {
        return set(value.array(), value.from(), value.length());
    }

    Row<V> set(byte[] bytes, int at, int count) {
        array = bytes;
        from = at;
        length = count;
        decoded = null;
        return this;
    }

    byte[] array() {
        return array;
    }

    int from() {
        return from;
    }

    /** Returns the value. */
    V value() {
        V known = decoded;
        if (known == null) {
            known = readBy(codec);
            decoded = known;
        }
        return known;
    }

    /** Returns the value as a codec reads it, which may be the codec of the row. */
    @SuppressWarnings("unchecked")
    <P> P shownBy(Codec<P> reader) {
        return reader.equals(codec) ? (P) value() : readBy(reader);
    }

    private <P> P readBy(Codec<P> reader) {
        in.reset(array, from, length);
        P value = reader.read(in);
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the value");
        }
        return value;
    }
}
