package io.teff.cluster.consensus;

import io.teff.cluster.consensus.ProposalCodec.Proposal;

/** A record of the replicated log, as this version understands the record. */
public sealed interface LogRecord {
    /**
     * A command of this version.
     *
     * @param proposal the command and its proposer
     */
    record Known(Proposal proposal) implements LogRecord {}

    /**
     * No command: every version skips the record.
     *
     * @param fault the fault of the record, for people
     */
    record Garbage(String fault) implements LogRecord {}

    /**
     * A command of a later version. Without the command, the machine of this member would differ from the machines of
     * other members.
     *
     * @param fault the lack of this version, for people
     */
    record Later(String fault) implements LogRecord {}
}
