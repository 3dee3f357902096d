package io.teff.cluster.net.message;

/**
 * A kind of request and its answer, both bytes without a codec.
 *
 * @param request type of the requests; its number is used for answers, too
 * @param answerBytesMax longest answer that is sent and taken, 1 to 2^30 bytes
 */
public record RawRequestType(RawType request, int answerBytesMax) {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is out of its range
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
     * @param id its number
     * @param requestBytesMax longest request, in bytes
     * @param answerBytesMax longest answer, in bytes
     * @return the type
     */
    public static RawRequestType of(int id, int requestBytesMax, int answerBytesMax) {
        return new RawRequestType(new RawType(id, requestBytesMax), answerBytesMax);
    }
}
