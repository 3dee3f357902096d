package io.teff.engine.raw;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.NamedComparator;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order of keys that needs no class of an application: numbers, strings and bytes, in the order of the keys' bytes,
 * in natural order, or in reverse order.
 *
 * @param keys codec of the keys
 * @param comparator order of the keys, or null for the order of the keys' bytes
 */
public record ClasslessOrder(Codec<Object> keys, @Nullable Comparator<Object> comparator) {
    private static final List<Codec<?>> CODECS = List.of(Codecs.LONG, Codecs.INT, Codecs.STRING, Codecs.BYTES);
    private static final List<Comparator<?>> COMPARATORS = List.of(Comparator.<String>naturalOrder(),
        Comparator.<String>reverseOrder());

    /**
     * Finds an order by the descriptions that a program has left.
     *
     * @param map name of the sorted map, for the message of the exception
     * @param keys description of the codec of the keys
     * @param order name of the order; empty for the order of the keys' bytes
     * @return the order
     * @throws IllegalArgumentException if the order needs a class of the application
     */
    @SuppressWarnings("unchecked")
    public static ClasslessOrder of(String map, String keys, String order) {
        for (Codec<?> codec : CODECS) {
            if (!codec.hasBytesOf(keys)) {
                continue;
            }
            if (order.isEmpty()) {
                return new ClasslessOrder((Codec<Object>) codec, null);
            }
            for (Comparator<?> comparator : COMPARATORS) {
                if (order.equals(NamedComparator.nameOf(comparator)) && !codec.equals(Codecs.BYTES)) {
                    return new ClasslessOrder((Codec<Object>) codec, (Comparator<Object>) comparator);
                }
            }
        }
        throw refusal(map, keys, order);
    }

    /**
     * Returns the exception for an order that needs classes of the application.
     *
     * @param map name of the sorted map
     * @param keys description of the codec of the keys
     * @param order name of the order; empty for the order of the keys' bytes
     * @return an exception that names all three
     */
    public static IllegalArgumentException refusal(String map, String keys, String order) {
        return new IllegalArgumentException("the sorted map " + map + " has " + (order.isEmpty() ? "no order" : "the "
            + "order '" + order + "'") + " of keys of " + keys + ", which needs classes that its owner does not have: "
            + "the owner of a sorted map knows long, int, String and byte[] by their bytes, and the first three also "
            + "in natural and in reverse order");
    }

    /**
     * Returns whether the bytes of keys have an order.
     *
     * @param keys codec of the keys
     * @return whether a sorted map of such keys needs no comparator
     */
    public static boolean isOfBytes(Codec<?> keys) {
        return CODECS.contains(keys);
    }

    /** {@return the order of the keys as objects} */
    public Comparator<Object> order() {
        if (comparator != null) {
            return comparator;
        }
        return keys.equals(Codecs.BYTES) ? (left, right) -> Arrays.compareUnsigned((byte[]) left, (byte[]) right)
            : natural();
    }

    @SuppressWarnings("unchecked")
    private static Comparator<Object> natural() {
        return (Comparator<Object>) COMPARATORS.getFirst();
    }
}
