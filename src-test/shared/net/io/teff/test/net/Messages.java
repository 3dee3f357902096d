package io.teff.test.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;

/** The messages and requests of the contract of networks. */
final class Messages {
    static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    static final MessageType<byte[]> BYTES = MessageType.of(2, Codecs.BYTES);
    static final RequestType<Long, Long> SQUARES = RequestType.of(3, Codecs.LONG, Codecs.LONG);
    static final RequestType<byte[], byte[]> ECHO = RequestType.of(4, Codecs.BYTES, Codecs.BYTES);
    static final RequestType<Long, Long> FAILING = RequestType.of(5, Codecs.LONG, Codecs.LONG);
    static final RequestType<Long, Long> SLOW = RequestType.of(6, Codecs.LONG, Codecs.LONG);

    /** Bytes of the longest request and answer. */
    static final int LENGTH_MAX = (64 << 20) - 16;
    static final byte[] SECRET = "sixteen bytes at".getBytes(US_ASCII);
    /** In nanoseconds. */
    static final long SECOND = 1_000_000_000;

    private Messages() {}

    static void answerSquares(Network... networks) {
        for (Network it : networks) {
            it.answer(SQUARES, (from, number) -> number * number);
        }
    }
}
