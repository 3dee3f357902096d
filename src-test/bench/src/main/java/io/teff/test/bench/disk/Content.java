package io.teff.test.bench.disk;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** The written content: the same random bytes for all methods, so that no layer below can compress them. */
final class Content {
    /** Length of the content in bytes. */
    static final int BYTES = 8 << 20;
    /** The unit in which all methods can write, also when bypassing the page cache. */
    static final int PAGE_BYTES = 4096;

    private static final long SEED = 88;

    private Content() {}

    static byte[] array() {
        byte[] bytes = new byte[BYTES];
        new SplittableRandom(SEED).nextBytes(bytes);
        return bytes;
    }

    /** Outside of the heap, at the start of a page. */
    static ByteBuffer direct() {
        return page(BYTES).put(array()).clear();
    }

    /** Zeros at the start of a page. */
    static ByteBuffer page(int bytes) {
        return ByteBuffer.allocateDirect(bytes + PAGE_BYTES).alignedSlice(PAGE_BYTES).limit(bytes).slice();
    }
}
