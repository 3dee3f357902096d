package io.teff.engine.map;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a submap of a sorted map.
 *
 * @param <K> type of the keys
 * @param low lowest key, or null if there is no lower bound
 * @param isLowIn whether the lowest key belongs to the submap
 * @param high highest key, or null if there is no upper bound
 * @param isHighIn whether the highest key belongs to the submap
 */
public record KeyBounds<K>(@Nullable K low, boolean isLowIn, @Nullable K high, boolean isHighIn) {
    /**
     * {@return the bounds of the whole map}
     *
     * @param <K> type of the keys
     */
    public static <K> KeyBounds<K> all() {
        return new KeyBounds<>(null, true, null, true);
    }

    /** Returns whether a key is inside the bounds. */
    boolean has(Comparator<? super K> order, K key) {
        return hasAbove(order, key) & hasBelow(order, key);
    }

    /** Returns whether a key is not below the lower bound. */
    private boolean hasAbove(Comparator<? super K> order, K key) {
        int compared = low == null ? order.compare(key, key) + 1 : order.compare(key, low);
        return compared > 0 || compared == 0 && isLowIn;
    }

    /** Returns whether a key is not above the upper bound. */
    private boolean hasBelow(Comparator<? super K> order, K key) {
        int compared = high == null ? -1 : order.compare(key, high);
        return compared < 0 || compared == 0 && isHighIn;
    }

    /** Returns these bounds without the keys below a key. */
    KeyBounds<K> withLow(Comparator<? super K> order, K key, boolean isIn) {
        int compared = low == null ? 1 : order.compare(key, low);
        return compared < 0 ? this : new KeyBounds<>(key, compared == 0 ? isIn && isLowIn : isIn, high, isHighIn);
    }

    /** Returns these bounds without the keys above a key. */
    KeyBounds<K> withHigh(Comparator<? super K> order, K key, boolean isIn) {
        int compared = high == null ? -1 : order.compare(key, high);
        return compared > 0 ? this : new KeyBounds<>(low, isLowIn, key, compared == 0 ? isIn && isHighIn : isIn);
    }

    /**
     * Returns narrower bounds.
     *
     * @param newLow lowest key, or null to keep the lower bound
     * @param newHigh highest key, or null to keep the upper bound
     * @throws IllegalArgumentException if the new bounds are not inside these bounds
     */
    KeyBounds<K> inside(Comparator<? super K> order, @Nullable K newLow, boolean isNewLowIn, @Nullable K newHigh,
                     boolean isNewHighIn) {
        if (newLow != null && newHigh != null && order.compare(newLow, newHigh) > 0) {
            throw new IllegalArgumentException("from " + newLow + " to " + newHigh + " is not a range");
        }
        if (newLow != null && !isPart(order, newLow, isNewLowIn)
            || newHigh != null && !isPart(order, newHigh, isNewHighIn)) {
            throw new IllegalArgumentException("from " + newLow + " to " + newHigh + " is outside of from " + low
                + " to " + high);
        }
        return new KeyBounds<>(newLow == null ? low : newLow, newLow == null ? isLowIn : isNewLowIn,
            newHigh == null ? high : newHigh, newHigh == null ? isHighIn : isNewHighIn);
    }

    /** Returns whether a key may bound a submap. A key that these bounds exclude may be an exclusive bound. */
    private boolean isPart(Comparator<? super K> order, K key, boolean isIn) {
        int fromLow = low == null ? order.compare(key, key) + 1 : order.compare(key, low);
        int fromHigh = high == null ? -1 : order.compare(key, high);
        return (fromLow > 0 || fromLow == 0 && (isLowIn || !isIn))
            && (fromHigh < 0 || fromHigh == 0 && (isHighIn || !isIn));
    }
}
