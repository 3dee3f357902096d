package io.teff.test.bench.store;

/**
 * The values of a run: each begins with its key, and its length follows from the key.
 *
 * @param lengthMin the shortest, at least 8
 * @param lengthMax the longest
 */
public record Values(int lengthMin, int lengthMax) {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /** Checks the lengths. */
    public Values {
        if (lengthMin < Long.BYTES || lengthMax < lengthMin || lengthMax > 256) {
            throw new IllegalArgumentException("lengths=" + lengthMin + ".." + lengthMax + " are outside of 8..256");
        }
    }

    /**
     * Reads {@code 32} or {@code 16-128}.
     *
     * @param text one length, or two
     * @return the values
     * @throws IllegalArgumentException for anything else
     */
    public static Values parse(String text) {
        if (!text.matches("\\d{1,9}(-\\d{1,9})?")) {
            throw new IllegalArgumentException("neither a length as in 32 nor a range as in 16-128");
        }
        String[] parts = text.split("-", 2);
        return new Values(Integer.parseInt(parts[0]), Integer.parseInt(parts[parts.length - 1]));
    }

    /**
     * Returns the length of a key's value.
     *
     * @param key the key
     * @return bytes
     */
    public int length(long key) {
        return lengthMin == lengthMax ? lengthMin
            : lengthMin + (int) ((key * MIX >>> 32) % (lengthMax - lengthMin + 1));
    }

    /**
     * Arrays to write values from, one of each length.
     *
     * @return arrays by length less the shortest one
     */
    public byte[][] arrays() {
        byte[][] arrays = new byte[lengthMax - lengthMin + 1][];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = new byte[lengthMin + i];
        }
        return arrays;
    }

    /**
     * Fills in the value of a key.
     *
     * @param key the key
     * @param arrays what {@link #arrays} returned
     * @return the array of the right length, with the key at its front
     */
    public byte[] of(long key, byte[][] arrays) {
        byte[] value = arrays[length(key) - lengthMin];
        KeyedStore.LONG.set(value, 0, key);
        return value;
    }

    @Override
    public String toString() {
        return lengthMin == lengthMax ? lengthMin + "" : lengthMin + "-" + lengthMax;
    }
}
