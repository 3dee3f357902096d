package io.teff.rdma.reads;

import io.teff.engine.offer.OfferLayout;

/**
 * The buffer of a reader.
 * <pre>
 *  0        8        16       24       32       40       64
 *  +--------+--------+--------+--------+--------+--------+---------------------+
 *  | before | epoch  | entry  | proof  | front  | behind | payload, up to 64 KiB |
 *  +--------+--------+--------+--------+--------+--------+---------------------+
 *  before, proof, behind: the stripe's word at three moments      front: a length in front of the payload
 * </pre>
 */
final class BufferLayout {
    static final int BEFORE = 0;
    static final int EPOCH = BEFORE + OfferLayout.WORD_BYTES;
    static final int ENTRY = EPOCH + OfferLayout.WORD_BYTES;
    static final int PROOF = ENTRY + OfferLayout.WORD_BYTES;
    static final int FRONT = PROOF + OfferLayout.WORD_BYTES;
    static final int BEHIND = FRONT + OfferLayout.FRONT_BYTES;
    /** On a cache line of its own. */
    static final int PAYLOAD = 64;
    static final int BYTES = PAYLOAD + OfferLayout.LENGTH_MAX;

    static {
        assert BEHIND + OfferLayout.WORD_BYTES <= PAYLOAD : "the words are in front of the payload";
    }

    private BufferLayout() {}
}
