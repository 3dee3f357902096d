package io.teff.cluster.net;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Codecs of all kinds, with and without support for writing and reading in parts, and long values for them. */
final class LongKinds {
    static final List<Kind<?>> ALL = List.of(new Kind<>("bytes", Codecs.BYTES, LongKinds::bytes),
        new Kind<>("string", Codecs.STRING, LongKinds::text), new Kind<>("longs", Schema.of(long[].class),
            (random, size) -> random.longs(size / Long.BYTES).toArray()),
        new Kind<>("parcel", schema(Parcel.class).build(), LongKinds::parcel),
        new Kind<>("compact", schema(Parcel.class).compact().build(), LongKinds::parcel),
        new Kind<>("tree", schema(Tree.class).build(), (random, size) -> tree(random, size, 0)),
        new Kind<>("blob", new BlobCodec(), (random, size) -> new Blob(bytes(random, size))));

    private LongKinds() {}

    /** Makes a value. */
    @FunctionalInterface
    interface Maker<T> {
        T make(SplittableRandom random, int size);
    }

    /**
     * A codec and its values.
     *
     * @param name the name of the kind
     * @param codec writes and reads the values
     * @param maker makes a value of about the given number of bytes
     */
    record Kind<T>(String name, Codec<T> codec, Maker<T> maker) {
        byte[] bytes(T value) {
            final Output out = Output.growing(64);
            codec.write(value, out);
            return out.toByteArray();
        }
    }

    record Point(int x, int y) {}

    record Parcel(int sender, byte[] bytes, @Nullable String text, List<@Nullable String> words,
                  Map<Integer, Point> points, Optional<Point> perhaps, double[] numbers) {}

    sealed interface Tree permits Leaf, Branch {}

    record Leaf(byte[] bytes) implements Tree {}

    record Branch(String name, List<Tree> trees) implements Tree {}

    /** A value with a hand-written codec. */
    record Blob(byte[] bytes) {}

    private static final class BlobCodec implements Codec<Blob> {
        @Override
        public void write(Blob value, Output out) {
            out.putInt(value.bytes.length);
            out.putBytes(value.bytes, 0, value.bytes.length);
        }

        @Override
        public Blob read(Input in) {
            final byte[] bytes = new byte[in.getInt()];
            System.arraycopy(in.array(), in.take(bytes.length), bytes, 0, bytes.length);
            return new Blob(bytes);
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    /** Grants the access that this package does not open to reflection. */
    static <T> Schema.Builder<T> schema(Class<T> type) {
        return Schema.builder(type).lookup(MethodHandles.lookup());
    }

    // ---- values ----

    static byte[] bytes(SplittableRandom random, int size) {
        final byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String text(SplittableRandom random, int size) {
        final int limit = random.nextBoolean() ? 0x100 : 0x1000;
        final StringBuilder text = new StringBuilder();
        for (int left = size / (limit > 0x100 ? 2 : 1); left > 0; left--) {
            text.append((char) random.nextInt(limit));
        }
        return text.toString();
    }

    private static Parcel parcel(SplittableRandom random, int size) {
        final List<@Nullable String> words = new ArrayList<>();
        final Map<Integer, Point> points = new TreeMap<>();
        for (int left = random.nextInt(size / 2 + 1); left > 0; left -= 20) {
            words.add(random.nextInt(10) == 0 ? null : text(random, random.nextInt(20)));
            points.put(random.nextInt(), new Point(random.nextInt(), random.nextInt()));
        }
        return new Parcel(random.nextInt(), bytes(random, random.nextInt(size / 2 + 1)),
            random.nextBoolean() ? null : text(random, random.nextInt(size / 2 + 1)), words, points,
            random.nextBoolean() ? Optional.empty() : Optional.of(new Point(1, 2)),
            random.doubles(random.nextInt(size / Double.BYTES / 4 + 1)).toArray());
    }

    private static Tree tree(SplittableRandom random, int size, int depth) {
        if (size < 1000 || depth > 200 || random.nextInt(10) == 0) {
            return new Leaf(bytes(random, size));
        }
        final List<Tree> trees = new ArrayList<>();
        for (int left = size; left > 0;) {
            final int part = random.nextInt(left) + 1;
            trees.add(tree(random, part, depth + 1));
            left -= part;
        }
        return new Branch(text(random, random.nextInt(30)), trees);
    }
}
