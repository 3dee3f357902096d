package io.teff.cluster.peer;

import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationType;

/** What a call of a simulated client asks the owner of a zone for, and what the answer says about a history. */
interface SimAsk {
    /** Returns the operation. */
    OperationType type();

    /** Returns a CID of the zone. */
    long cid();

    /** Returns whether the operation changes something, and needs a ticket. */
    boolean isChange();

    /** Returns whether the operation is refused while others have locked the chunk. */
    boolean waitsForLocks();

    /** Returns whether the operation is one of a collection. */
    boolean isOfCollection();

    /** Returns the request; a change names a session and has a ticket. */
    byte[] request(int session, long ticket);

    /** Reads an answer. */
    OperationAnswer read(byte[] answer);

    /** The outcome stays unknown. */
    void unknown(Histories histories, long calledNs, String note);

    /**
     * The operation was done.
     *
     * @param calledNs when the call began
     * @param sentNs when the message that was answered was sent
     * @param nowNs now
     */
    void done(Histories histories, LockHistory locks, OperationAnswer answer, long calledNs, long sentNs, long nowNs,
              String who);
}
