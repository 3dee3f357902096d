package io.teff.cluster.job;

import io.teff.engine.Cid;
import io.teff.engine.TaskContext;
import io.teff.engine.work.Inbox;
import io.teff.engine.work.Outbox;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** A worker of a group at a peer in one step. For one thread. */
final class PeerTask extends PeerJob implements TaskContext {
    private final PeerGroup group;
    private final StepRequest step;
    private final int worker;
    private final List<Inbox.Batch> received;
    private final BatchSender sender;
    private final Outbox outbox;

    PeerTask(JobHost home, PeerGroup group, StepRequest step, int worker, BooleanSupplier cancelled) {
        super(home, new Call(step.map().zones()[worker], Cid.NONE, step.argument(), step.round(), 0, 0), cancelled);
        this.group = group;
        this.step = step;
        this.worker = worker;
        received = group.inbox(worker).open(step.step());
        sender = new BatchSender(home, group, step, worker, this::isCancelled);
        outbox = new Outbox(step.map().workers(), sender);
    }

    @Override
    public int worker() {
        return worker;
    }

    @Override
    public int workers() {
        return step.map().workers();
    }

    @Override
    public long step() {
        return step.step();
    }

    @Override
    public long[] reduced() {
        return step.reduced().clone();
    }

    @Override
    public void send(int to, byte[] message) {
        outbox.add(to, message);
    }

    @Override
    public void sendLong(int to, long message) {
        outbox.addLong(to, message);
    }

    /** Waits until all messages have arrived. */
    void flush() {
        outbox.flush();
        sender.flush();
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

    /** Visits the part of the worker: workers share a zone by the indexes of the chunks. */
    @Override
    public void forEachCid(LongConsumer consumer) {
        int sharing = 0;
        int own = 0;
        for (int i = 0; i < workers(); i++) {
            if (step.map().zones()[i] == zone()) {
                own = i == worker ? sharing : own;
                sharing++;
            }
        }
        final int part = own;
        final int parts = sharing;
        super.forEachCid(cid -> {
            if (Cid.index(cid) % parts == part) {
                consumer.accept(cid);
            }
        });
    }
}
