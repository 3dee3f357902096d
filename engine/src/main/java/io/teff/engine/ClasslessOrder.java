package io.teff.engine;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.NamedComparator;
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
record ClasslessOrder(Codec<Object> keys, @Nullable Comparator<Object> comparator) {
    private static final List<Codec<?>> CODECS = List.of(Codecs.LONG, Codecs.INT, Codecs.STRING, Codecs.BYTES);
    private static final List<Comparator<?>> COMPARATORS = List.of(Comparator.<String>naturalOrder(),
        Comparator.<String>reverseOrder());

    /**
     * Finds an order by the descriptions that a program has left.
     *
     * @param map name of the sorted map, for the message of the exception
     * @param keys description of the codec of the keys
     * @param order name of the order; empty for the order of the keys' bytes
     * @throws IllegalArgumentException if the order needs a class of the application
     */
    @SuppressWarnings("unchecked")
    static ClasslessOrder of(String map, String keys, String order) {
        for (Codec<?> codec : CODECS) {
            if (!codec.hasBytesOf(keys)) {
                continue;
            }
            if (order.isEmpty()) {
                return new ClasslessOrder((Codec<Object>) codec, null);
            }
            for (Comparator<?> comparator : COMPARATORS) {
                if (order.equals(NamedComparator.nameOf(comparator)) && codec != Codecs.BYTES) {
                    return new ClasslessOrder((Codec<Object>) codec, (Comparator<Object>) comparator);
                }
            }
        }
        throw new IllegalArgumentException("the sorted map " + map + " has " + (order.isEmpty() ? "no order" : "the "
            + "order '" + order + "'") + " of keys of " + keys + ", which needs classes that its owner does not have: "
            + "the owner of a sorted map knows long, int, String and byte[] by their bytes, and the first three also in "
            + "natural and in reverse order");
    }
}
