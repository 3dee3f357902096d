package io.teff.test.bench.rdma;

import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.PathMtu;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.device.RdmaContext;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.Completions;
import io.teff.rdma.verbs.queue.ConnectSettings;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.rdma.verbs.queue.ReceiveBatch;
import io.teff.rdma.verbs.queue.SendBatch;

/**
 * An end with a reliable queue pair for each other one. All ends must be driven by one thread. Does what
 * {@code src-test/rdma-vm/loops.c} does: each operation is posted alone and signalled.
 */
final class VerbsEnd implements End {
    private static final Access[] RIGHTS =
        {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC};
    private static final int RECEIVES = 128;
    private static final int SENDS = 64;
    private static final int READS = 16;
    private static final int COMPLETIONS = 16;
    private static final int POLLS = 10_000;
    private static final long RECEIVE = 1L << 32;

    private final RdmaCase what;
    private final int number;
    private final Devices.Device device;
    private final RdmaContext context;
    private final CompletionQueue queue;
    private final MemoryRegion region;
    private final QueuePair[] pairs;
    private final VerbsEnd[] peers;
    private final int[] sent;
    private final int sentMax;
    private final SendBatch sends = new SendBatch(1, 1);
    private final ReceiveBatch receives = new ReceiveBatch(1, 1);
    private final Completions completions = new Completions(COMPLETIONS);
    private long begun;
    private long arrived;

    VerbsEnd(Devices devices, RdmaCase what, int number) {
        this.what = what;
        this.number = number;
        device = devices.of(number);
        final int ends = what.pattern().ends();
        context = device.open();
        final ProtectionDomain domain = context.allocateDomain();
        queue = CompletionQueue.create(context, ends * (RECEIVES + SENDS));
        region = domain.allocate(RdmaCase.BYTES_MAX, RIGHTS);
        pairs = new QueuePair[ends];
        peers = new VerbsEnd[ends];
        sent = new int[ends];
        sentMax = what.pattern().isRead() || what.pattern().isAtomic() ? READS : SENDS;
        final QueuePairSettings settings = QueuePairSettings.of(QueuePairType.RC).withRequests(SENDS, RECEIVES);
        for (int i = 0; i < ends; i++) {
            if (i != number) {
                pairs[i] = QueuePair.create(domain, settings, queue, queue);
            }
        }
    }

    @Override
    public void connect(End[] all) {
        for (int i = 0; i < all.length; i++) {
            if (i != number) {
                peers[i] = (VerbsEnd) all[i];
                final QueuePair pair = pairs[i];
                pair.initialize(Devices.PORT, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
                pair.connect(address(i), peers[i].address(number), Devices.PORT, device.gidIndex(),
                    ConnectSettings.of(PathMtu.MTU_4096));
                for (int n = 0; n < RECEIVES && !what.pattern().isOneSided(); n++) {
                    receive(i);
                }
            }
        }
    }

    private QueuePairAddress address(int peer) {
        return QueuePairAddress.of(pairs[peer], Devices.PORT, device.gidIndex(), number);
    }

    private void receive(int peer) {
        receives.receive(RECEIVE | peer).add(region, 0, what.bytes());
        pairs[peer].post(receives);
    }

    @Override
    public boolean begin(int to) {
        if (sent[to] >= sentMax) {
            return false;
        }
        final MemoryRegion target = peers[to].region;
        switch (what.pattern()) {
            case READ_LATENCY, READ_RATE -> sends.read(to, target.address(), target.remoteKey());
            case WRITE_LATENCY, WRITE_RATE -> sends.write(to, target.address(), target.remoteKey());
            case ATOMIC_LATENCY, ATOMIC_RATE -> sends.fetchAndAdd(to, target.address(), target.remoteKey(), 1);
            default -> sends.send(to);
        }
        sends.add(region, 0, what.bytes()).signalled();
        pairs[to].post(sends);
        sent[to]++;
        begun++;
        return true;
    }

    @Override
    public int poll() {
        final int count = queue.poll(completions);
        int ended = 0;
        for (int i = 0; i < count; i++) {
            if (!completions.isSuccess(i)) {
                throw new IllegalStateException("end " + number + ": " + completions.failure(i));
            }
            final long id = completions.workId(i);
            if ((id & RECEIVE) == 0) {
                sent[(int) id]--;
                ended++;
            } else {
                arrived++;
                receive((int) id);
            }
        }
        return ended;
    }

    @Override
    public long begun() {
        return begun;
    }

    @Override
    public long arrived() {
        return arrived;
    }

    @Override
    public int underWay() {
        int sum = 0;
        for (int count : sent) {
            sum += count;
        }
        return sum;
    }

    @Override
    public boolean isPassive() {
        return true;
    }

    @Override
    public void close() {
        context.close();
    }

    /** Returns the mean time of a poll of an empty queue, in nanoseconds. */
    static double pollNs(Devices devices, long measureNs) {
        final VerbsEnd end = new VerbsEnd(devices, new RdmaCase(RdmaPattern.PING_PONG, 1), 0);
        try {
            double ns = 0;
            for (int round = 0; round < 2; round++) {           // the first one warms up
                final long start = System.nanoTime();
                long count = 0;
                while (System.nanoTime() - start < measureNs) {
                    for (int i = 0; i < POLLS; i++) {
                        end.queue.poll(end.completions);
                    }
                    count += POLLS;
                }
                ns = (System.nanoTime() - start) / (double) count;
            }
            return ns;
        } finally {
            end.close();
        }
    }
}
