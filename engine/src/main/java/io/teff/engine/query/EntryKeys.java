package io.teff.engine.query;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.bytes.LittleEndian;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.map.EntryPart;
import java.util.Arrays;

/**
 * The keys of a map as indexes keep them: keys of type {@code long} and {@code int} in their order, other keys as their
 * codec writes them. Immutable.
 */
final class EntryKeys<K> {
    private final Codec<K> codec;
    private final boolean isLong;
    private final boolean isInt;

    EntryKeys(Codec<K> codec) {
        this.codec = codec;
        this.isLong = codec.equals(Codecs.LONG);
        this.isInt = codec.equals(Codecs.INT);
    }

    /** Returns the bytes that an index keeps. */
    byte[] kept(EntryPart key) {
        if (isLong) {
            Output out = Output.growing(Long.BYTES);
            SortKeyBytes.putLong(out, LittleEndian.getLong(key.array(), key.from()));
            return out.toByteArray();
        }
        if (isInt) {
            Output out = Output.growing(Integer.BYTES);
            SortKeyBytes.putInt(out, LittleEndian.getInt(key.array(), key.from()));
            return out.toByteArray();
        }
        return Arrays.copyOfRange(key.array(), key.from(), key.from() + key.length());
    }

    /** Returns the key that an index keeps in the last bytes of an array. */
    K read(byte[] kept, int from) {
        if (isLong || isInt) {
            @SuppressWarnings("unchecked") K number = (K) (isLong ? (Object) SortKeyBytes.getLong(kept, from)
                : (Object) SortKeyBytes.getInt(kept, from));
            return number;
        }
        return codec.read(new Input(kept, from, kept.length - from));
    }
}
