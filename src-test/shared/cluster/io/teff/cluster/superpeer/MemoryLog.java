package io.teff.cluster.superpeer;

import io.teff.cluster.consensus.NotLeadingException;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** A replicated log whose members share one machine. */
public final class MemoryLog {
    private final MetadataMachine machine;

    private final AtomicInteger looks = new AtomicInteger();

    /** Begins without a command. */
    public MemoryLog(MachineState.Settings settings) {
        machine = new MetadataMachine(MachineState.initial(settings));
    }

    private synchronized CommandReply apply(Command command) {
        CommandReply reply = machine.apply(command);
        machine.audit();
        return reply;
    }

    private synchronized <T> T readMachine(Function<MetadataMachine, T> reader) {
        return reader.apply(machine);
    }

    /** Returns how often members were asked whether they lead. */
    AtomicInteger looks() {
        return looks;
    }

    /** Returns a member; one of them must lead. */
    public SuperpeerLog member(boolean isLeading) {
        return member(() -> isLeading);
    }

    /** Returns a member that leads from some time on. */
    public SuperpeerLog member(BooleanSupplier isLeading) {
        return new SuperpeerLog() {
            @Override
            public CompletableFuture<CommandReply> propose(Command command) {
                return isLeading.getAsBoolean() ? CompletableFuture.completedFuture(apply(command))
                    : CompletableFuture.failedFuture(new NotLeadingException());
            }

            @Override
            public boolean isLeading() {
                looks.incrementAndGet();
                return isLeading.getAsBoolean();
            }

            @Override
            public boolean isMember() {
                return true;
            }

            @Override
            public int restarts() {
                return 0;
            }

            @Override
            public boolean needsRoom() {
                return false;
            }

            @Override
            public boolean isVoter(int superpeer) {
                return true;
            }

            @Override
            public boolean remove(int superpeer) {
                return true;
            }

            @Override
            public <T> T read(Function<MetadataMachine, T> reader) {
                return readMachine(reader);
            }

            @Override
            public void close() {}
        };
    }
}
