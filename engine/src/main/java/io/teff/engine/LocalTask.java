package io.teff.engine;

import io.teff.engine.work.Inbox;
import io.teff.engine.work.Outbox;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** A worker of a group on a store of this JVM in one step. For one thread. */
final class LocalTask extends LocalJob implements TaskContext {
    private final LocalGroup group;
    private final int worker;
    private final long step;
    private final List<Inbox.Batch> received;
    private final Outbox outbox;

    LocalTask(LocalCompute home, LocalGroup group, int worker, long step, byte[] argument, BooleanSupplier cancelled) {
        super(home, argument, Cid.NONE, 1, false, cancelled);
        this.group = group;
        this.worker = worker;
        this.step = step;
        received = group.inbox(worker).open(step);
        outbox = new Outbox(group.workers(), (to, number, batch) -> group.deliver(step + 1, worker, to, number, batch));
    }

    @Override
    public int worker() {
        return worker;
    }

    @Override
    public int workers() {
        return group.workers();
    }

    @Override
    public long step() {
        return step;
    }

    @Override
    public long[] reduced() {
        return group.reduced();
    }

    @Override
    public void send(int to, byte[] message) {
        outbox.add(to, message);
    }

    @Override
    public void sendLong(int to, long message) {
        outbox.addLong(to, message);
    }

    void flush() {
        outbox.flush();
    }

    @Override
    public void receive(MessageReader reader) {
        for (Inbox.Batch batch : received) {
            reader.read(batch.from(), ByteBuffer.wrap(batch.bytes()).asReadOnlyBuffer()
                .order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    @Override
    @SuppressWarnings("unchecked")                              // the type is that of the application's last call
    public <T> T kept(Supplier<T> first) {
        return (T) group.kept(worker, first);
    }

    /** Visits the part of the worker. */
    @Override
    public void forEachCid(LongConsumer consumer) {
        super.forEachCid(cid -> {
            if (Cid.index(cid) % workers() == worker) {
                consumer.accept(cid);
            }
        });
    }
}
