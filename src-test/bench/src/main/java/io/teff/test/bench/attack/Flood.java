package io.teff.test.bench.attack;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** A thread that attacks at a fixed rate while it is enabled. */
final class Flood implements AutoCloseable {
    /** Number of half-open links that are held: the limit of a node. */
    private static final int HELD = 256;
    private static final int GREETING_BYTES = 50;
    private static final int GARBAGE_BYTES = 10 << 10;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Attack kind;
    private final SocketAddress target;
    private final long intervalNs;
    private final byte[] garbage = new byte[GARBAGE_BYTES];
    private final Deque<HostileLink> held = new ArrayDeque<>();
    private final LongAdder attacks = new LongAdder();
    private final Thread thread;
    private volatile boolean isOn;
    /** Whether the flood runs at its rate. */
    private volatile boolean isAtRate;
    private volatile boolean isOver;

    Flood(Attack kind, SocketAddress target, int rate) {
        this.kind = kind;
        this.target = target;
        this.intervalNs = TimeUnit.SECONDS.toNanos(1) / rate;
        new SplittableRandom(1).nextBytes(garbage);
        thread = Thread.ofPlatform().name("attacker").start(this::run);
    }

    /** Starts or stops the flood; returns when the change is effective. */
    void set(boolean isNow) {
        isOn = isNow;
        while (isAtRate != isNow && thread.isAlive()) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        if (!thread.isAlive()) {
            throw new IllegalStateException("the attacker has failed");
        }
    }

    /** Returns the number of attacks up to now, without those that are only held. */
    long attacks() {
        return attacks.sum();
    }

    private void run() {
        try {
            while (!isOver) {
                if (isOn) {
                    flood();
                } else {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void flood() throws IOException {
        while (kind.isHalfOpen() && held.size() < HELD) {
            held.add(halfOpen());
        }
        isAtRate = true;
        long due = System.nanoTime();
        while (isOn) {
            attack();
            attacks.increment();
            due += intervalNs;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
        for (HostileLink link : held) {
            link.close();
        }
        held.clear();
        isAtRate = false;
    }

    private void attack() throws IOException {
        if (kind.isHalfOpen()) {
            held.add(halfOpen());
            held.remove().close();
            return;
        }
        try (HostileLink link = new HostileLink(target)) {
            if (kind.isControl()) {
                sayToNobody(link);
            } else {
                link.proved().say(garbage);
            }
            link.awaitEnd();
        }
    }

    private HostileLink halfOpen() throws IOException {
        HostileLink link = new HostileLink(target);
        byte[] front = new byte[GREETING_BYTES];
        System.arraycopy(link.hello(), 0, front, 0, front.length);
        say(link, front);
        return link;
    }

    /** Sends the bytes that a node would get, with the same computations. */
    private void sayToNobody(HostileLink link) throws IOException {
        say(link, link.hello());
        say(link, link.proofToNobody());
        say(link, garbage);
    }

    /** The other side may have closed the link already. */
    private static void say(HostileLink link, byte[] bytes) {
        try {
            link.say(bytes);
        } catch (IOException e) {
            return;
        }
    }

    @Override
    public void close() {
        isOn = false;
        isOver = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
