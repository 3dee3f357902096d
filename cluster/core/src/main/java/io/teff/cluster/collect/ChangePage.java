package io.teff.cluster.collect;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Takes the events that a watcher asks for, up to a limit of bytes; see {@link ChangeEvent}. For one thread. */
public final class ChangePage {
    /** Most events that one question reads. Events that the filter leaves out count, too. */
    static final int LOOKS_MAX = 1 << 10;

    private final int filter;
    private final byte[] wanted;
    private final String prefix;
    private final int bytesWished;
    private final int bytesMax;
    private ByteBuffer content = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    private int events;
    private int looks;
    private boolean isFull;

    /**
     * Begins an empty page.
     *
     * @param filter a filter of {@link ChangeEvent}
     * @param wanted the key or prefix
     * @param bytesWished where a page with an event ends
     * @param bytesMax where each page ends
     * @throws MalformedException if there is no such filter
     */
    public ChangePage(int filter, byte[] wanted, int bytesWished, int bytesMax) {
        if (filter < ChangeEvent.ALL || filter > ChangeEvent.STRING_PREFIX) {
            throw new MalformedException(0, "a filter of changes of number " + filter, null);
        }
        this.filter = filter;
        this.wanted = wanted;
        this.bytesWished = bytesWished;
        this.bytesMax = bytesMax;
        prefix = filter == ChangeEvent.STRING_PREFIX ? new Input(wanted, 0, wanted.length).getString() : "";
        content.position(ChangeEvent.ANSWER_BYTES);
    }

    /** Begins the answer: complete up to a number, or a gap up to there. */
    void begin(long ring, long number, boolean isGap) {
        content.putLong(0, ring).putLong(Long.BYTES, number).putInt(2 * Long.BYTES, isGap ? 1 : 0);
    }

    boolean hasRoom() {
        return looks < LOOKS_MAX && (events == 0 || content.position() < bytesWished);
    }

    /** Takes the next event if there is room for it; then the answer is complete up to its number. */
    boolean take(long number, byte[] event) {
        looks++;
        final int keyLength = ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).getInt(ChangeEvent.KEY_LENGTH_AT);
        if (isWanted(event, keyLength)) {
            final int end = content.position() + Integer.BYTES + event.length;
            if (end > bytesMax || events > 0 && end > bytesWished) {
                isFull = events == 0;
                return false;
            }
            if (end > content.capacity()) {
                final ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * content.capacity(), end))
                    .order(ByteOrder.LITTLE_ENDIAN);
                content = larger.put(content.flip());
            }
            content.putInt(event.length).put(event);
            events++;
        }
        content.putLong(Long.BYTES, number);
        return true;
    }

    private boolean isWanted(byte[] event, int keyLength) {
        final int from = ChangeEvent.HEAD_BYTES;
        return switch (filter) {
            case ChangeEvent.KEY -> Arrays.equals(event, from, from + keyLength, wanted, 0, wanted.length);
            case ChangeEvent.PREFIX -> keyLength >= wanted.length
                && Arrays.equals(event, from, from + wanted.length, wanted, 0, wanted.length);
            case ChangeEvent.STRING_PREFIX -> isOfPrefix(event, from, keyLength);
            default -> true;
        };
    }

    private boolean isOfPrefix(byte[] event, int from, int keyLength) {
        try {
            return new Input(event, from, keyLength).getString().startsWith(prefix);
        } catch (MalformedException _) {                        // the keys are no strings
            return false;
        }
    }

    /** {@return whether the first event has found no room} */
    public boolean isFull() {
        return isFull;
    }

    /** {@return the answer} */
    public byte[] toBytes() {
        content.putInt(2 * Long.BYTES + Integer.BYTES, events);
        return Arrays.copyOf(content.array(), content.position());
    }
}
