package io.teff.nio.selector.link;

import io.teff.rdma.ucx.message.UcxMessage;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of a link that have arrived before an earlier piece. UCX sends a message in several parts where the message is
 * longer than a segment of the transport, and a short message may overtake the parts. Used within the state lock of the
 * link.
 */
final class EarlyPieces {
    /** Most pieces. The window of a link has room for fewer long pieces; more means a peer without the protocol. */
    private static final int COUNT_MAX = 1_024;

    /**
     * A piece.
     *
     * @param word place and kind
     * @param consumed as in the head
     * @param bytes of the stream, copied
     */
    record Piece(long word, long consumed, MemorySegment bytes) {}

    private final Map<Long, Piece> pieces = new HashMap<>();

    /** Keeps a piece; false if there is no room, or the place is taken. */
    boolean add(long word, long consumed, UcxMessage message, int from) {
        if (pieces.size() >= COUNT_MAX) {
            return false;
        }
        final int bytes = (int) message.length() - from;
        final MemorySegment copy = MemorySegment.ofArray(new byte[bytes]);
        message.copyData(from, copy, 0, bytes);
        return pieces.putIfAbsent(StreamPieceLayout.place(word), new Piece(word, consumed, copy)) == null;
    }

    /** Takes the piece of a place; null if the piece has not arrived. */
    @Nullable Piece remove(long place) {
        return pieces.isEmpty() ? null : pieces.remove(place);
    }
}
