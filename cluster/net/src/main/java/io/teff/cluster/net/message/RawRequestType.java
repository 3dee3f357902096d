package io.teff.cluster.net.message;

/**
 * A kind of request and its answer, both bytes without a codec.
 *
 * @param request type of the requests; answers use the number of this type, too
 * @param answerBytesMax longest answer sent and accepted, 1 to 2^30 bytes
 */
public record RawRequestType(RawType request, int answerBytesMax) {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if the number is out of range
     */
    public RawRequestType {
        if (answerBytesMax < 1 || answerBytesMax > MessageType.BYTES_MAX) {
            throw new IllegalArgumentException("answerBytesMax=" + answerBytesMax + " is not in 1 to "
                + MessageType.BYTES_MAX);
        }
    }

    /**
     * Makes a type.
     *
     * @param id number of the type
     * @param requestBytesMax longest request, in bytes
     * @param answerBytesMax longest answer, in bytes
     * @return the type
     */
    public static RawRequestType of(int id, int requestBytesMax, int answerBytesMax) {
        return new RawRequestType(new RawType(id, requestBytesMax), answerBytesMax);
    }
}
