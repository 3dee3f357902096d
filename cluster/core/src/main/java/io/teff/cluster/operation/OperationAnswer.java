package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.meta.ZoneRow;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a single operation, as the client reads it.
 *
 * @param code what has become of the operation: a code of {@link OperationFormat}
 * @param result the result, if it was done
 * @param bytes the whole answer; the content begins behind the head
 * @param category category of the exception, if the store has refused the operation
 */
public record OperationAnswer(int code, long result, byte[] bytes, int category) {
    /** The answer for a CID that no chunk of a cluster has. */
    public static final OperationAnswer NO_CHUNK = new OperationAnswer(OperationFormat.ABSENT, Status.ABSENT,
        new byte[HEAD_BYTES], 0);

    /** The answer for a chunk that stays locked for as long as the caller waits. */
    public static final OperationAnswer LOCKED_CHUNK = new OperationAnswer(OperationFormat.LOCKED, Status.LOCKED,
        new byte[HEAD_BYTES], 0);

    private static final StoreException.Category[] CATEGORIES = StoreException.Category.values();

    /**
     * Reads an answer.
     *
     * @param bytes the answer, as it has arrived
     * @param type the operation
     * @param contentMax longest content that the caller takes; the exact length for GET_BYTES
     * @return the answer
     * @throws MalformedException if the bytes are none
     */
    public static OperationAnswer read(byte[] bytes, OperationType type, int contentMax) {
        if (bytes.length < HEAD_BYTES) {
            throw OperationRequest.malformed("an answer of " + bytes.length + " bytes");
        }
        final MemorySegment memory = MemorySegment.ofArray(bytes);
        final OperationAnswer answer = new OperationAnswer(OperationFormat.operation(memory, 0),
            OperationFormat.cid(memory, 0), bytes, OperationFormat.category(memory, 0));
        if (answer.code > OperationFormat.CODE_MAX || !isCategory(answer.category)
            || !OperationFormat.isZero(memory, 2, 2)
            || OperationFormat.length(memory, 0) != bytes.length - HEAD_BYTES) {
            throw OperationRequest.malformed("a wrong head of an answer");
        }
        if (answer.code == OperationFormat.DONE
            && answer.contentLength() != answer.contentLength(type, contentMax)) {
            throw OperationRequest.malformed("a wrong length of an answer");
        }
        return answer;
    }

    /** Returns the length of the content that the result announces; -1 if it is too long. */
    private long contentLength(OperationType type, int contentMax) {
        return switch (type) {
            case GET, MAP_GET, MAP_CHANGE -> result > contentMax ? -1 : Math.max(result, 0);
            case MAP_PAGE, CIDS, CIDS_WHERE, COLLECTION_READ, COLLECTION_CHANGE, COLLECTION_MOVE ->
                contentLength() > contentMax ? -1 : contentLength();
            case GET_BYTES -> result == Status.OK ? contentMax : 0;
            default -> 0;
        };
    }

    static boolean isCategory(int number) {
        return number < CATEGORIES.length;
    }

    static StoreException exception(int category, String text) {
        return new StoreException(CATEGORIES[category], text);
    }

    /** {@return the length of the content} */
    public int contentLength() {
        return bytes.length - HEAD_BYTES;
    }

    /**
     * Copies the content to a segment.
     *
     * @param target has room for it
     * @param offset first byte in the target
     */
    public void copyContent(MemorySegment target, long offset) {
        MemorySegment.copy(bytes, HEAD_BYTES, target, ValueLayout.JAVA_BYTE, offset, contentLength());
    }

    /**
     * {@return the newest row that the peer knows, if the operation was not done because of it; or null}
     *
     * @throws MalformedException if the bytes are no row
     */
    public @Nullable ZoneRow row() {
        return code != OperationFormat.NOT_HERE || contentLength() == 0 ? null
            : RowBytes.read(bytes, HEAD_BYTES, contentLength());
    }

    /** {@return the exception with which the peer's store has refused the operation} */
    public StoreException refusal() {
        return exception(category, new String(bytes, HEAD_BYTES, contentLength(), StandardCharsets.UTF_8));
    }
}
