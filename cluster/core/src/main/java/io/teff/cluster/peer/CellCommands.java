package io.teff.cluster.peer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A peer's commands on the way to the superpeers; no command is on the way twice at a time. After the arrival the
 * sender looks at the tables again, and repeats a command that is still needed. Thread-safe.
 */
final class CellCommands {
    private final CellClient cell;
    private final Runnable arrived;
    private final Set<Command> underWay = ConcurrentHashMap.newKeySet();

    /**
     * Begins without a command.
     *
     * @param cell sends
     * @param arrived called after each reply, on a thread that must not wait
     */
    CellCommands(CellClient cell, Runnable arrived) {
        this.cell = cell;
        this.arrived = arrived;
    }

    void send(Command command) {
        send(command, _ -> { });
    }

    /** Sends a command that is not on the way, and passes the reply on, if any. */
    void send(Command command, Consumer<CommandReply> replied) {
        if (underWay.add(command)) {
            final var _ = cell.send(command).whenComplete((reply, _) -> {
                underWay.remove(command);
                if (reply != null) {
                    replied.accept(reply);
                    arrived.run();
                }
            });
        }
    }
}
