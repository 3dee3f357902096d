package io.teff.cluster.superpeer;

import io.teff.cluster.consensus.MetadataLog;
import io.teff.cluster.consensus.NotLeadingException;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Reply;
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

    private synchronized Reply apply(Command command) {
        Reply reply = machine.apply(command);
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
    public MetadataLog member(boolean isLeading) {
        return member(() -> isLeading);
    }

    /** Returns a member that leads from some time on. */
    public MetadataLog member(BooleanSupplier isLeading) {
        return new MetadataLog() {
            @Override
            public CompletableFuture<Reply> propose(Command command) {
                return isLeading.getAsBoolean() ? CompletableFuture.completedFuture(apply(command))
                    : CompletableFuture.failedFuture(new NotLeadingException());
            }

            @Override
            public boolean isLeading() {
                looks.incrementAndGet();
                return isLeading.getAsBoolean();
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
