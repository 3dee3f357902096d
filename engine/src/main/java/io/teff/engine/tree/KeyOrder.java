package io.teff.engine.tree;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order of a map's keys, and their bytes.
 *
 * <p>Numbers are heads without further bytes. Strings are encoded char by char as in UTF-8, including each half of a
 * surrogate pair, so their bytes have the order of {@link String#compareTo}, and an ASCII char takes one byte. Keys
 * with a {@link Comparator} have the bytes of their codec. These bytes are never compared.
 *
 * @param <K> type of the keys
 */
abstract class KeyOrder<K> implements Comparator<K> {
    /** Keys are heads without further bytes. */
    static final int BY_HEAD = 0;
    /** Keys are ordered by their bytes. */
    static final int BY_BYTES = 1;
    /** Keys are ordered as objects. */
    static final int BY_OBJECT = 2;

    private static final KeyOrder<Long> LONGS = new Numbers<>() {
        @Override
        long number(Long key) {
            return key;
        }

        @Override
        Long read(TreeKey key) {
            return key.head;
        }
    };
    private static final KeyOrder<Integer> INTS = new Numbers<>() {
        @Override
        long number(Integer key) {
            return key;
        }

        @Override
        Integer read(TreeKey key) {
            return (int) key.head;
        }
    };

    private final int kind;

    private KeyOrder(int kind) {
        this.kind = kind;
    }

    /** Returns the natural order of a codec's values. */
    @SuppressWarnings("unchecked")
    static <K> KeyOrder<K> natural(Codec<K> codec) {
        final Object order;
        if (codec.equals(Codecs.LONG)) {
            order = LONGS;
        } else if (codec.equals(Codecs.INT)) {
            order = INTS;
        } else if (codec.equals(Codecs.STRING)) {
            order = new Strings();
        } else if (codec.equals(Codecs.BYTES)) {
            order = new ByteArrays();
        } else {
            throw new IllegalArgumentException("the keys of this codec have no order by bytes, as those of int, long,"
                + " String and byte[] have: give a comparator, or the class of the keys if it implements Comparable");
        }
        return (KeyOrder<K>) order;
    }

    /** Returns whether the bytes of a codec have a natural order. */
    static boolean hasNatural(Codec<?> codec) {
        return codec.equals(Codecs.LONG) || codec.equals(Codecs.INT) || codec.equals(Codecs.STRING)
            || codec.equals(Codecs.BYTES);
    }

    /** Returns the order that a comparator defines. */
    static <K> KeyOrder<K> by(Comparator<? super K> comparator, Codec<K> codec) {
        return new Compared<>(comparator, codec);
    }

    /** Returns an order for keys that are not decoded. */
    static KeyOrder<?> raw(long kind) {
        return kind == BY_HEAD ? LONGS : new ByteArrays();
    }

    /** Returns the number of the order in roots. */
    final int kind() {
        return kind;
    }

    final boolean isByHead() {
        return kind == BY_HEAD;
    }

    final boolean isByObject() {
        return kind == BY_OBJECT;
    }

    /** Encodes a key. */
    abstract void write(K key, TreeKey target);

    /** Decodes a key. */
    abstract K read(TreeKey key);

    /** Returns the comparator as {@link java.util.SortedMap#comparator} defines it: null for the natural order. */
    abstract @Nullable Comparator<? super K> comparator();

    /** Returns the comparator that the program has given, or null if the codec's bytes have the order. */
    @Nullable Comparator<? super K> given() {
        return null;
    }

    /** Compares two objects. */
    @Override
    public abstract int compare(K left, K right);

    /** Compares two encoded keys. */
    int compareKeys(TreeKey left, TreeKey right) {
        return left.compareTo(right);
    }

    /** Order of keys that are heads. */
    private abstract static class Numbers<K extends Comparable<K>> extends KeyOrder<K> {
        Numbers() {
            super(BY_HEAD);
        }

        abstract long number(K key);

        @Override
        void write(K key, TreeKey target) {
            target.setHead(number(key));
        }

        @Override
        @Nullable Comparator<? super K> comparator() {
            return null;
        }

        @Override
        public int compare(K left, K right) {
            return left.compareTo(right);
        }
    }

    /** Order of arrays by unsigned bytes. */
    private static final class ByteArrays extends KeyOrder<byte[]> {
        ByteArrays() {
            super(BY_BYTES);
        }

        @Override
        void write(byte[] key, TreeKey target) {
            target.out.clear();
            target.out.putBytes(key, 0, key.length);
            target.setBytes();
        }

        @Override
        byte[] read(TreeKey key) {
            return Arrays.copyOf(key.out.array(), key.length);
        }

        @Override
        Comparator<? super byte[]> comparator() {
            return Arrays::compareUnsigned;
        }

        @Override
        public int compare(byte[] left, byte[] right) {
            return Arrays.compareUnsigned(left, right);
        }
    }

    /** Natural order of strings. */
    private static final class Strings extends KeyOrder<String> {
        Strings() {
            super(BY_BYTES);
        }

        @Override
        void write(String key, TreeKey target) {
            target.out.clear();
            CharBytes.write(key, target.out);
            target.setBytes();
        }

        @Override
        String read(TreeKey key) {
            return CharBytes.read(key.out.array(), key.length);
        }

        @Override
        @Nullable Comparator<? super String> comparator() {
            return null;
        }

        @Override
        public int compare(String left, String right) {
            return left.compareTo(right);
        }
    }

    /** Order of any keys by a comparator. */
    private static final class Compared<K> extends KeyOrder<K> {
        private final Comparator<? super K> comparator;
        private final Codec<K> codec;

        Compared(Comparator<? super K> comparator, Codec<K> codec) {
            super(BY_OBJECT);
            this.comparator = Objects.requireNonNull(comparator);
            this.codec = codec;
        }

        @Override
        void write(K key, TreeKey target) {
            comparator.compare(key, key);                       // refuses a key of another type
            target.out.clear();
            target.out.putValue(codec, key);
            target.setBytes();
            target.object = key;
        }

        @Override
        K read(TreeKey key) {
            Input in = new Input(key.out.array(), 0, key.length);
            K read = codec.read(in);
            if (in.left() > 0) {
                throw new MalformedException(in.offset(), in.left() + " bytes behind a key", null);
            }
            return read;
        }

        @Override
        @Nullable Comparator<? super K> comparator() {
            return comparator.equals(Comparator.naturalOrder()) ? null : comparator;
        }

        @Override
        Comparator<? super K> given() {
            return comparator;
        }

        @Override
        public int compare(K left, K right) {
            return comparator.compare(left, right);
        }

        @Override
        int compareKeys(TreeKey left, TreeKey right) {
            return comparator.compare(object(left), object(right));
        }

        @SuppressWarnings("unchecked")
        private K object(TreeKey key) {
            Object known = key.object;
            if (known == null) {
                known = read(key);
                key.object = known;
            }
            return (K) known;
        }
    }
}
