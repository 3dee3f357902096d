package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.view.ChunkView;

/**
 * The form of a map's keys in its entries: the codec's bytes, preceded by their length (LEB128) unless all keys have
 * one size. Two keys are equal if their bytes are.
 */
final class KeyForm<K> {
    private static final int VAR_SHIFT = 7;
    private static final int VAR_MORE = 1 << VAR_SHIFT;
    private static final int PREFIX_BYTES_MAX = 5;

    private final Codec<K> codec;
    private final int fixedBytes;
    private final boolean numbers;

    KeyForm(Codec<K> codec) {
        this.codec = codec;
        this.fixedBytes = codec.fixedBytes();
        this.numbers = codec.equals(Codecs.LONG);
    }

    int fixedBytes() {
        return fixedBytes;
    }

    Codec<K> codec() {
        return codec;
    }

    /** Writes a key to an operation. The caller appends the value to the operation's output. */
    void write(K key, HashOperation operation, long seed) {
        if (numbers) {
            operation.setNumber((Long) key, seed);
            return;
        }
        Output out = operation.out();
        out.clear();
        if (fixedBytes >= 0) {
            out.putValue(codec, key);
        } else {
            int prefix = out.take(1);
            codec.write(key, out);
            int length = out.size() - 1;
            if (length < VAR_MORE) {
                out.array()[prefix] = (byte) length;
            } else {
                writeLongPrefix(out, length);
            }
        }
        operation.setBytes(out.array(), out.size(), seed);
    }

    /** Sets the key of an operation to the first bytes of its output. */
    void loaded(HashOperation operation, int length, long seed) {
        Output out = operation.out();
        if (numbers) {
            operation.setNumber(new Input(out.array(), 0, length).getLong(), seed);
        } else {
            operation.setBytes(out.array(), length, seed);
        }
    }

    private static void writeLongPrefix(Output out, int length) {
        int more = (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length)) / VAR_SHIFT;
        out.take(more);
        byte[] array = out.array();
        System.arraycopy(array, 1, array, 1 + more, length);
        int rest = length;
        for (int i = 0; i < more; i++) {
            array[i] = (byte) (rest | VAR_MORE);
            rest >>>= VAR_SHIFT;
        }
        array[more] = (byte) rest;
    }

    /** Returns the index of the key's own bytes in an entry, behind the length. */
    int contentFrom(byte[] bytes, int from) {
        int at = from;
        if (fixedBytes < 0) {
            while (bytes[at++] < 0) {                           // all bytes of the length except the last are negative
                continue;
            }
        }
        return at;
    }

    /** Returns whether an entry of {@code length} bytes begins with a whole key. */
    boolean fits(byte[] bytes, int from, int length) {
        if (fixedBytes >= 0) {
            return length >= fixedBytes;
        }
        int at = 0;
        while (at < Math.min(length, PREFIX_BYTES_MAX) && bytes[from + at] < 0) {
            at++;
        }
        if (at >= Math.min(length, PREFIX_BYTES_MAX)) {
            return false;
        }
        final int end = end(bytes, from);
        return end > from && end - from <= length;
    }

    /** Returns the index behind the key in an entry that {@link #fits}. */
    int end(byte[] bytes, int from) {
        if (fixedBytes >= 0) {
            return from + fixedBytes;
        }
        int at = from;
        int length = 0;
        for (int shift = 0; ; shift += VAR_SHIFT) {
            byte next = bytes[at++];
            length |= (next & VAR_MORE - 1) << shift;
            if (next >= 0) {
                return at + length;
            }
        }
    }

    /** Returns the index behind the key in a chunk that contains one entry. */
    int end(ChunkView view) {
        if (fixedBytes >= 0) {
            return fixedBytes;
        }
        byte[] prefix = new byte[(int) Math.min(PREFIX_BYTES_MAX, view.length())];
        view.copyTo(0, prefix, 0, prefix.length);
        return end(prefix, 0);
    }

    /** Returns the hash of an entry's key. */
    long hash(byte[] bytes, int from, long seed) {
        return Hash.of(seed, bytes, from, end(bytes, from) - from);
    }
}
