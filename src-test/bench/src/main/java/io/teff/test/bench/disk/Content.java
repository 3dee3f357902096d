package io.teff.test.bench.disk;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** What is written: the same random bytes by everybody, so that no layer below can make less of them. */
final class Content {
    /** Bytes that there are. */
    static final int BYTES = 8 << 20;
    /** The unit in which everything can be written, also past the page cache. */
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
