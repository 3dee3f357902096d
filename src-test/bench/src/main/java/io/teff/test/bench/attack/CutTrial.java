package io.teff.test.bench.attack;

import io.teff.cluster.net.wire.Frame;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * The time until the link of a peer that breaks a rule ends; a plain echo after each of them shows the share of the
 * machine.
 */
final class CutTrial {
    static final List<String> FIGURES =
        List.of("echo p50 us", "echo p99 us", "cut p50 us", "cut p99 us", "cut max us");

    private static final int WARM_UP = 4;
    /** The window is tried less often. */
    private static final int WINDOW_RATE = 20;
    private static final int ECHO_BYTES = 64;
    private static final int GARBAGE_BYTES = 1 << 10;
    private static final int FLAGS_AT = 11;
    private static final int DIGITS = 3;
    private static final double MICROSECOND_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final AttackPlan plan;
    private final byte[] garbage = new byte[GARBAGE_BYTES];
    private final ByteBuffer echo = ByteBuffer.allocateDirect(ECHO_BYTES);

    CutTrial(AttackPlan plan) {
        this.plan = plan;
        new SplittableRandom(1).nextBytes(garbage);
        garbage[Frame.ALIGNMENT - 1] = -1;                      // of no type of greeting
    }

    /** Returns figures by name. */
    Map<String, Object> run() throws IOException, InterruptedException {
        Histogram echoes = new Histogram(DIGITS);
        Histogram cuts = new Histogram(DIGITS);
        int count = plan.kind() == Attack.WINDOW ? Math.ceilDiv(plan.cuts(), WINDOW_RATE) : plan.cuts();
        try (Victim victim = new Victim(); PlainServer server = PlainServer.echoing();
             SocketChannel other = SocketChannel.open(server.address())) {
            other.setOption(StandardSocketOptions.TCP_NODELAY, true);
            victim.ask(new byte[1]);
            for (int i = -count / WARM_UP; i < count; i++) {
                long echoNs = echo(other);
                long cutNs = cut(victim);
                if (i >= 0) {
                    echoes.recordValue(echoNs);
                    cuts.recordValue(cutNs);
                }
            }
            victim.ask(new byte[1]);                            // who is honest is served as before
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("echo p50 us", echoes.getValueAtPercentile(50) / MICROSECOND_NS);
        figures.put("echo p99 us", echoes.getValueAtPercentile(99) / MICROSECOND_NS);
        figures.put("cut p50 us", cuts.getValueAtPercentile(50) / MICROSECOND_NS);
        figures.put("cut p99 us", cuts.getValueAtPercentile(99) / MICROSECOND_NS);
        figures.put("cut max us", cuts.getMaxValue() / MICROSECOND_NS);
        return figures;
    }

    private long echo(SocketChannel other) throws IOException {
        long start = System.nanoTime();
        other.write(echo.clear());
        echo.clear();
        while (echo.hasRemaining()) {
            other.read(echo);
        }
        return System.nanoTime() - start;
    }

    /** Returns the nanoseconds from before the call that breaks a rule to the end of the link. */
    private long cut(Victim victim) throws IOException {
        try (HostileLink link = new HostileLink(victim.address())) {
            return switch (plan.kind()) {
                case GREETING_LENGTH -> end(link, with(link.hello(), 0, -1, -1, -1, Byte.MAX_VALUE));
                case GREETING_GARBAGE -> end(link, garbage);
                case PROOF -> {
                    byte[] proof = link.greet();
                    yield end(link, with(proof, Frame.ALIGNMENT, proof[Frame.ALIGNMENT] ^ 1));
                }
                case CHECKSUM -> end(link.proved(), with(HostileLink.frame(0, 1, 0, ECHO_BYTES), FLAGS_AT,
                    Frame.CHECKED, 1, 2, 3, 4));
                case FRAME_LENGTH -> end(link.proved(), with(HostileLink.frame(0, 1, 0, ECHO_BYTES), 0, -1, -1, -1,
                    Byte.MAX_VALUE));
                case WINDOW -> beyondTheWindow(victim, link.proved());
                default -> end(link.proved(), garbage);
            };
        }
    }

    private static byte[] with(byte[] bytes, int at, int... values) {
        for (int i = 0; i < values.length; i++) {
            bytes[at + i] = (byte) values[i];
        }
        return bytes;
    }

    private static long end(HostileLink link, byte[] wrong) throws IOException {
        long start = System.nanoTime();
        link.say(wrong);
        link.awaitEnd();
        return System.nanoTime() - start;
    }

    /**
     * Sends four windows of messages that are not handled; returns the time since the first one was full. So the time
     * in which the victim reads the allowed messages is included.
     */
    private static long beyondTheWindow(Victim victim, HostileLink link) throws IOException {
        victim.hold(true);
        try {
            long at = 0;
            long start = System.nanoTime();
            for (; at < 4 * Victim.WINDOW_BYTES; at += Frame.BYTES_MAX) {
                if (at == Victim.WINDOW_BYTES) {
                    start = System.nanoTime();
                }
                try {
                    link.say(HostileLink.frame(at, Victim.SLOW_TYPE, 1, Frame.BYTES_MAX));
                } catch (IOException e) {
                    return System.nanoTime() - start;           // it has ended on the way
                }
            }
            link.awaitEnd();
            return System.nanoTime() - start;
        } finally {
            victim.hold(false);
            LockSupport.parkNanos(PAUSE_NS);                    // what waited is handled
        }
    }
}
