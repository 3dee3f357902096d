package io.teff.engine.tree;

import org.jspecify.annotations.Nullable;

/**
 * From which key to which one a part of a map goes.
 *
 * @param <K> type of the keys
 * @param low the lowest key, or null for none
 * @param isLowIn whether it belongs to the part
 * @param high the highest one, or null for none
 * @param isHighIn whether it belongs to the part
 */
record Bounds<K>(@Nullable K low, boolean isLowIn, @Nullable K high, boolean isHighIn) {
    /** All keys. */
    static <K> Bounds<K> all() {
        return new Bounds<>(null, true, null, true);
    }

    /** Whether a key is inside. */
    boolean has(KeyOrder<K> order, K key) {
        return hasAbove(order, key) & hasBelow(order, key);
    }

    /** Whether a key is not too low. */
    private boolean hasAbove(KeyOrder<K> order, K key) {
        int compared = low == null ? order.compare(key, key) + 1 : order.compare(key, low);
        return compared > 0 || compared == 0 && isLowIn;
    }

    /** Whether a key is not too high. */
    private boolean hasBelow(KeyOrder<K> order, K key) {
        int compared = high == null ? -1 : order.compare(key, high);
        return compared < 0 || compared == 0 && isHighIn;
    }

    /** What of it is not below a key. */
    Bounds<K> withLow(KeyOrder<K> order, K key, boolean isIn) {
        int compared = low == null ? 1 : order.compare(key, low);
        return compared < 0 ? this : new Bounds<>(key, compared == 0 ? isIn && isLowIn : isIn, high, isHighIn);
    }

    /** What of it is not above a key. */
    Bounds<K> withHigh(KeyOrder<K> order, K key, boolean isIn) {
        int compared = high == null ? -1 : order.compare(key, high);
        return compared > 0 ? this : new Bounds<>(low, isLowIn, key, compared == 0 ? isIn && isHighIn : isIn);
    }

    /**
     * A part of it.
     *
     * @param newLow the lowest key, or null for that of this
     * @param newHigh the highest one, or null for that of this
     * @throws IllegalArgumentException if it is no part
     */
    Bounds<K> inside(KeyOrder<K> order, @Nullable K newLow, boolean isNewLowIn, @Nullable K newHigh,
                     boolean isNewHighIn) {
        if (newLow != null && newHigh != null && order.compare(newLow, newHigh) > 0) {
            throw new IllegalArgumentException("from " + newLow + " to " + newHigh + " is no range");
        }
        if (newLow != null && !isPart(order, newLow, isNewLowIn)
            || newHigh != null && !isPart(order, newHigh, isNewHighIn)) {
            throw new IllegalArgumentException("from " + newLow + " to " + newHigh + " is outside of from " + low
                + " to " + high);
        }
        return new Bounds<>(newLow == null ? low : newLow, newLow == null ? isLowIn : isNewLowIn,
            newHigh == null ? high : newHigh, newHigh == null ? isHighIn : isNewHighIn);
    }

    /** Whether a key may be a bound of a part; at the end of this one it may be if it does not belong to the part. */
    private boolean isPart(KeyOrder<K> order, K key, boolean isIn) {
        int fromLow = low == null ? order.compare(key, key) + 1 : order.compare(key, low);
        int fromHigh = high == null ? -1 : order.compare(key, high);
        return (fromLow > 0 || fromLow == 0 && (isLowIn || !isIn))
            && (fromHigh < 0 || fromHigh == 0 && (isHighIn || !isIn));
    }
}
