package io.teff.cluster.message;

import io.teff.cluster.meta.CommandReply;
import org.jspecify.annotations.Nullable;

/**
 * A superpeer's answer to a command.
 *
 * @param reply the machine's reply; null if the superpeer does not lead, and then the command may have been applied or
 *     not, or if the cell is being rebuilt, and takes no such command yet
 */
public record CommandAnswer(@Nullable CommandReply reply) {
    /** Answer of a superpeer that does not lead. */
    public static final CommandAnswer NOT_LEADING = new CommandAnswer(null);
}
