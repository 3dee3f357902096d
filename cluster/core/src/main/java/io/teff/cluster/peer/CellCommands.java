package io.teff.cluster.peer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A peer's commands on their way to the superpeers: each is on its way once at a time. Whoever has sent it looks at the
 * tables again when it has arrived, and sends it again if it is still needed. Thread-safe.
 */
final class CellCommands {
    private final CellClient cell;
    private final Runnable arrived;
    private final Set<Command> underWay = ConcurrentHashMap.newKeySet();

    /**
     * Begins with none.
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

    /** Sends a command unless it is on its way, and passes on its reply if there is one. */
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
