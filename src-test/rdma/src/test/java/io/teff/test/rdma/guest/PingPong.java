package io.teff.test.rdma.guest;

import io.teff.rdma.verbs.CompletionQueue;
import io.teff.rdma.verbs.ConnectSettings;
import io.teff.rdma.verbs.PathMtu;
import io.teff.rdma.verbs.QueuePairSettings;
import io.teff.rdma.verbs.QueuePairType;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;

/**
 * The loop of {@code pingpong.c} in Java, to be run in the same boot of a guest: two reliable queue pairs of one
 * device, driven by one thread. Prints medians in microseconds, the time of a poll of an empty queue, and the bytes
 * that an operation allocates.
 */
final class PingPong {
    private static final int POLLS = 1_000_000;
    private static final double NS_PER_US = 1e3;

    private final Side left;
    private final Side right;
    private final int bytes;
    private final long[] ns;

    private PingPong(Side left, Side right, int bytes, int iterations) {
        this.left = left;
        this.right = right;
        this.bytes = bytes;
        ns = new long[iterations];
    }

    /** An operation that is measured as a whole. */
    private interface Operation {
        void post(Side from, Side to, int bytes);
    }

    /** Arguments: device, iterations, bytes. */
    public static void main(String[] arguments) {
        String device = arguments[0];
        QueuePairSettings settings = QueuePairSettings.of(QueuePairType.RC);
        try (Side left = new Side(device, settings); Side right = new Side(device, settings)) {
            Side.connect(left, right, ConnectSettings.of(PathMtu.MTU_4096));
            PingPong program = new PingPong(left, right, Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[1]));
            program.run(false);
            program.run(true);
        }
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
            .getCurrentThreadAllocatedBytes();
    }

    private void run(boolean isShown) {
        long start = System.nanoTime();
        for (int i = 0; i < POLLS; i++) {
            left.queue.poll(left.one);
        }
        if (isShown) {
            System.out.printf(Locale.ROOT, "Java %-24s mean   %8.2f ns%n", "poll of an empty queue",
                (System.nanoTime() - start) / (double) POLLS);
        }
        long before = allocated();
        sends();
        long sendBytes = allocated() - before;
        print(isShown, "send, half a round trip", 2);
        before = allocated();
        whole((from, to, length) -> from.sends.write(1, to.region.address(), to.region.remoteKey())
            .add(from.region, 0, length).signalled());
        long writeBytes = allocated() - before;
        print(isShown, "write", 1);
        whole((from, to, length) -> from.sends.read(1, to.region.address(), to.region.remoteKey())
            .add(from.region, 0, length).signalled());
        print(isShown, "read", 1);
        whole((from, to, length) -> from.sends.fetchAndAdd(1, to.region.address(), to.region.remoteKey(), 1)
            .add(from.region, 0, 8).signalled());
        print(isShown, "fetch-and-add", 1);
        if (isShown) {
            System.out.printf(Locale.ROOT, "Java allocated per operation: send and receive %.3f, write %.3f bytes%n",
                sendBytes / (2.0 * ns.length), writeBytes / (double) ns.length);
        }
    }

    private void sends() {
        for (int i = 0; i < ns.length; i++) {
            receive(left);
            receive(right);
            long start = System.nanoTime();
            send(left);
            await(right.queue, right, 1);
            send(right);
            await(left.queue, left, 2);
            ns[i] = System.nanoTime() - start;
            await(right.queue, right, 1);
        }
    }

    private void receive(Side side) {
        side.receives.receive(1).add(side.region, 0, bytes);
        side.pair.post(side.receives);
    }

    private void send(Side side) {
        side.sends.send(1).add(side.region, 0, bytes).signalled();
        side.pair.post(side.sends);
    }

    private void whole(Operation operation) {
        for (int i = 0; i < ns.length; i++) {
            long start = System.nanoTime();
            operation.post(left, right, bytes);
            left.pair.post(left.sends);
            await(left.queue, left, 1);
            ns[i] = System.nanoTime() - start;
        }
    }

    private static void await(CompletionQueue queue, Side side, int completions) {
        int left = completions;
        while (left > 0) {
            int count = queue.poll(side.one);
            if (count > 0 && !side.one.isSuccess(0)) {
                throw new AssertionError(side.one.failure(0));
            }
            left -= count;
        }
    }

    private void print(boolean isShown, String what, int parts) {
        if (isShown) {
            long[] sorted = ns.clone();
            Arrays.sort(sorted);
            System.out.printf(Locale.ROOT, "Java %-24s median %8.2f us%n", what,
                sorted[sorted.length / 2] / NS_PER_US / parts);
        }
    }
}
