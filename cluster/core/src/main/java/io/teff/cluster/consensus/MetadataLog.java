package io.teff.cluster.consensus;

import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MetadataMachine;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The replicated log of the cluster's metadata, as seen by a member. Thread-safe. */
public interface MetadataLog extends AutoCloseable {

    /**
     * Proposes a command. Only the leading member can; the leading member repeats the proposal until the command is
     * applied.
     *
     * @param command to be applied by all members, in the order of the log
     * @return the machine's reply; fails with {@link NotLeadingException} if this member does not lead, or no longer,
     *     and then the command may have been applied or not
     */
    CompletableFuture<CommandReply> propose(Command command);

    /** {@return whether this member leads and accepts proposals} */
    boolean isLeading();

    /**
     * Reads the machine between two commands. A call never reads an older state than an earlier call.
     *
     * @param reader reads; must not keep the machine, and must not block
     * @return the reader's result
     * @param <T> type of the result
     */
    <T> T read(Function<MetadataMachine, T> reader);

    /** Ends the member. Proposals without a reply fail. Idempotent. */
    @Override
    void close();
}
