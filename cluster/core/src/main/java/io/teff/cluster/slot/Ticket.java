package io.teff.cluster.slot;

/**
 * Names a change within a session and a zone; pure functions.
 * <pre>
 *  63                                                          6 5        0
 * +-------------------------------------------------------------+----------+
 * |                       sequence (58), from 1                 | slot (6) |
 * +-------------------------------------------------------------+----------+
 * </pre>
 * A slot is used by one change at a time. The sequence rises with each change of the slot, so a ticket says that the
 * client waits for no earlier change of the slot any more.
 */
public final class Ticket {
    /** Slots of a session in a zone, and so the most changes of a client that are under way in a zone: 64. */
    public static final int SLOTS = 64;

    private static final int SLOT_BITS = 6;

    static {
        assert SLOTS == 1 << SLOT_BITS : "the number of a slot has its bits";
    }

    private Ticket() {}

    /**
     * {@return a ticket}
     *
     * @param sequence number of the change in its slot, from 1
     * @param slot 0 to {@link #SLOTS} - 1
     */
    public static long of(long sequence, int slot) {
        assert sequence > 0 && slot >= 0 && slot < SLOTS : sequence + " in " + slot;
        return sequence << SLOT_BITS | slot;
    }

    /** {@return the slot of a ticket} */
    public static int slot(long ticket) {
        return (int) ticket & SLOTS - 1;
    }

    /** {@return the sequence of a ticket; 0 if it names no change} */
    public static long sequence(long ticket) {
        return ticket >>> SLOT_BITS;
    }
}
