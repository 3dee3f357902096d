package io.teff.cluster.net.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.teff.cluster.net.GoldenFile;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.agent.Agent;
import io.teff.cluster.net.agent.Connection;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.ring.RingPool;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.wire.Control;
import io.teff.cluster.net.wire.DialerHandshake;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameChecker;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.GreetingReader;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.ListenerHandshake;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.net.Mutation;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: for any input, decoders throw only their own exceptions, allocate no more than the received bytes and one
 * frame, and accept nothing after an exception.
 *
 * <p>Method: golden and random conversations, mutated at random, in pieces cut at random. {@code -Dteff.fuzz.inputs=N}
 * for more, {@code -Dteff.fuzz.seed=S} and {@code -Dteff.fuzz.inputs=1} to repeat one.
 */
final class FuzzTest {
    private static final ClusterId CLUSTER = new ClusterId(7, 8, "orders");
    private static final long INPUTS = Form.size("teff.fuzz.inputs", 60_000L, 200_000L, 3_000_000L);
    private static final long SEED = Long.getLong("teff.fuzz.seed", 1);
    /** Allowance of a case beside its bytes: objects, an exception with its text and its stack trace. */
    private static final long BYTES_BESIDE = 64 << 10;
    /** Views of the bytes received up to now. */
    private static final long BYTES_PER_PIECE = 256;
    private static final int LONG_RATE = 50;
    private static final byte[] SECRET = {1, 2, 3};
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int DROPPED = Frame.FRAGMENT | Frame.LAST | Frame.SKIPPED;
    private static final int[] KINDS = {0, Frame.REQUEST, Frame.RESPONSE, Frame.RESPONSE | Frame.FAILED,
        Frame.FRAGMENT | Frame.LAST, Frame.FRAGMENT, Frame.REQUEST | Frame.FRAGMENT, Frame.SKIPPED,
        DROPPED, DROPPED | Frame.REQUEST};

    private final List<byte[]> golden = new ArrayList<>();
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment scratch = arena.allocate(8 * Frame.BYTES_MAX, Frame.ALIGNMENT);
    private final FrameChecker checker = new FrameChecker();
    /** Number of mutated inputs. */
    private long inputs;
    private long refused;
    private long shown;
    private long done;
    /** Excess of the allocated bytes in this case. */
    private long tooMany;

    // ---- conversations before mutation ----

    private byte[] stream(SplittableRandom random) {
        if (!golden.isEmpty() && random.nextInt(4) == 0) {
            return golden.get(random.nextInt(golden.size()));
        }
        long position = 0;
        int at = 0;
        for (int count = random.nextInt(1, 8); count > 0; count--) {
            if (random.nextInt(4) == 0) {
                at += random.nextBoolean() ? Control.putProgress(scratch, at, random.nextLong() & Long.MAX_VALUE - 7,
                    random.nextLong()) : Control.putClosing(scratch, at, random.nextInt(100));
                continue;
            }
            final int flags = KINDS[random.nextInt(KINDS.length)];
            final int least = Frame.headBytes(flags)
                + ((flags & (Frame.FRAGMENT | Frame.LAST)) == Frame.FRAGMENT ? Frame.FRAGMENT_BYTES_MIN : 0);
            final int length = least + ((flags & DROPPED) == DROPPED ? 0
                : random.nextInt(random.nextInt(LONG_RATE) == 0 ? 100_000 : 100));
            scratch.asSlice(at, Frame.taken(length)).fill((byte) 0);
            Frame.begin(scratch, at, random.nextInt(4), flags == Frame.SKIPPED ? 0 : random.nextInt(3), flags,
                random.nextInt(5));
            Frame.commit(scratch, at, length, position);
            if (random.nextBoolean()) {
                checker.add(scratch, at);
            }
            at += Frame.taken(length);
            position += Frame.taken(length);
        }
        final byte[] bytes = new byte[at];
        Frame.copyOut(scratch, 0, bytes, 0, at);
        return bytes;
    }

    // ---- frames ----

    /** A session behind the input, which assembles messages. */
    private final class Sink implements FrameInput.Sink {
        private final Dispatcher dispatcher = dispatcher();
        private final FrameInput input = new FrameInput(new FrameChecker());
        private final Session session = new Session(Objects.requireNonNull(connection), 1,
            new SendStream(new RingPool(0, () -> 0), 1 << 14, 1 << 14, 1 << 20), input, 1 << 20);
        private long payloads;

        @Override
        public void frame(MemorySegment memory, long at) throws ProtocolException {
            shown++;
            if ((Frame.flags(memory, at) & Frame.FRAGMENT) != 0) {
                payloads += Frame.length(memory, at);
                dispatcher.take(session, memory, at);
            }
        }

        @Override
        public void control(MemorySegment memory, long at) throws ProtocolException {
            Control.check(memory, at);
            shown++;
        }
    }

    private @Nullable Connection connection;

    /**
     * Of the messages in parts, those of type 1 are collected, long ones of type 2 are read incrementally, others are
     * unwanted.
     */
    private static Dispatcher dispatcher() {
        final Dispatcher dispatcher = new Dispatcher(new PendingRequests(new AgentCounters()), Runnable::run,
            NetworkListener.NONE, new AgentCounters());
        for (MessageType<?> type : List.of(new MessageType<>(1, Codecs.BYTES, 1 << 16),
            new MessageType<>(2, Codecs.STRING, 1 << 18))) {
            dispatcher.register(new HandlerEntry(type, delivery -> delivery.read(type), false,
                false));
        }
        return dispatcher;
    }

    private static Agent node() {
        try {
            return NetworkAccess.agent(NetworkAccess.make(
                NetworkConfig.builder(1).handlers(Runnable::run).build(), () -> 0, () -> 1,
                List.of(new Transports(Map.of(), false)), 1));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void frames(SplittableRandom random, byte[] bytes) {
        final Sink sink = new Sink();
        final long before = THREAD.getCurrentThreadAllocatedBytes();
        int taken = 0;
        int pieces = 0;
        boolean isBroken = false;
        final MemorySegment memory = MemorySegment.ofArray(bytes);
        final int piece = 1 + random.nextInt(bytes.length + 1);
        while (taken < bytes.length && !isBroken) {
            final int count = Math.min(bytes.length - taken, random.nextInt(1, piece + 1));
            try {
                sink.input.take(memory, taken, count, sink);
            } catch (ProtocolException e) {
                isBroken = true;
            }
            taken += count;
            pieces++;
        }
        final long allocated = THREAD.getCurrentThreadAllocatedBytes() - before;
        assertTrue(sink.input.partBytes() <= Math.min(taken, Frame.BYTES_MAX), "kept " + sink.input.partBytes());
        checkAllocated(allocated, 4L * taken + 4 * sink.payloads + pieces * BYTES_PER_PIECE);
        if (isBroken) {
            refused++;
            final long position = sink.input.position();
            final byte[] right = new byte[Frame.HEAD_BYTES];
            right[0] = Frame.HEAD_BYTES;
            assertThrows(ProtocolException.class, () -> sink.input.take(MemorySegment.ofArray(right), 0,
                right.length, sink));
            assertEquals(position, sink.input.position());
        }
    }

    private void checkAllocated(long bytes, long permitted) {
        tooMany = bytes > permitted + BYTES_BESIDE ? bytes : tooMany;
    }

    // ---- handshakes ----

    /** A side that accepts greetings. */
    @FunctionalInterface
    private interface Side {
        /** Accepts one greeting. */
        byte @Nullable [] take(Greeting message) throws IOException;
    }

    private static final class Host implements ListenerHandshake.Host {
        @Override
        public @Nullable Refusal check(Greeting.Hello hello) {
            return null;
        }

        @Override
        public Greeting.Proof welcome(Greeting.Hello hello, Greeting.Proof offered) {
            return new Greeting.Proof(true, new byte[Greeting.MAC_BYTES], offered.session(), 0, 1 << 20, false);
        }
    }

    /** Runs a handshake with one mutated message. */
    private void handshake(SplittableRandom random) {
        final DialerHandshake dialer = new DialerHandshake(new Identity(1, 100, CLUSTER, 0), 2, SECRET,
            _ -> new Greeting.Proof(false, new byte[Greeting.MAC_BYTES], 55, 0, 1 << 20, false));
        final ListenerHandshake listener = new ListenerHandshake(new Identity(2, 200, CLUSTER, 0), SECRET,
            new byte[Greeting.NONCE_BYTES], new Host());
        final GreetingReader[] readers = {new GreetingReader(), new GreetingReader()};
        final int changedAt = random.nextInt(4);
        byte[] said = dialer.hello(new byte[Greeting.NONCE_BYTES]);
        byte[] before = said;
        boolean isChanged = false;
        for (int turn = 0; turn < 4; turn++) {
            final byte[] heard = turn == changedAt ? Mutation.of(random, said, before) : said;
            isChanged |= !Arrays.equals(Arrays.copyOf(heard, said.length), said);
            inputs += Arrays.equals(heard, said) ? 0 : 1;
            before = said;
            final byte[] answer = take(random, readers[turn % 2], heard, turn % 2 == 0 ? listener::take : dialer::take);
            if (answer == null) {
                break;
            }
            said = answer;
        }
        assertFalse(isChanged && dialer.isDone(), "done, though message " + changedAt + " was changed");
        done += dialer.isDone() ? 1 : 0;
    }

    /** Returns the answer of a side; null if there is none, also if the side gives up. */
    private byte @Nullable [] take(SplittableRandom random, GreetingReader reader, byte[] bytes, Side side) {
        final long before = THREAD.getCurrentThreadAllocatedBytes();
        final Greeting message;
        try {
            message = read(random, reader, bytes);
        } catch (ProtocolException | RefusedException e) {      // nothing else may be thrown
            checkAllocated(THREAD.getCurrentThreadAllocatedBytes() - before, 0);
            refused++;
            assertThrows(ProtocolException.class, () -> reader.read(ByteBuffer.allocate(Greeting.HEAD_BYTES)));
            return null;
        }
        try {
            return message == null ? null : side.take(message);
        } catch (ProtocolException | RefusedException e) {      // nothing else may be thrown
            checkAllocated(THREAD.getCurrentThreadAllocatedBytes() - before, 0);
            refused++;
            assertThrows(ProtocolException.class, () -> side.take(Objects.requireNonNull(message)));
            return null;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Greeting read(SplittableRandom random, GreetingReader reader, byte[] bytes)
        throws ProtocolException, RefusedException {
        final ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int end = 0;
        while (end < bytes.length) {
            end = Math.min(bytes.length, end + random.nextInt(1, 100));
            final Greeting message = reader.read(from.limit(end));
            if (message != null) {
                return message;
            }
        }
        return null;
    }

    // ---- the test ----

    private void run(long seed) {
        final SplittableRandom random = new SplittableRandom(seed);
        if (random.nextInt(5) == 0) {
            handshake(random);
        } else {
            final byte[] other = stream(random);
            final byte[] one = stream(random);
            final byte[] given = Mutation.of(random, one, other);
            inputs += Arrays.equals(given, one) ? 0 : 1;
            frames(random, given);
        }
    }

    @Test
    void changedBytes_throwNothingElse() throws IOException {
        for (String name : List.of("frames.hex", "refused.hex")) {
            GoldenFile.read(name).stream().filter(it -> it.name().equals("frames")).map(GoldenFile.Entry::bytes)
                .forEach(golden::add);
        }
        connection = node().connection(2);
        for (long seed = SEED; inputs < INPUTS; seed++) {
            try {
                run(seed);
                if (tooMany > 0) {                              // otherwise code would run for the first time
                    tooMany = 0;
                    run(seed);
                    assertEquals(0, tooMany, "bytes were allocated");
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + "; reproduce: mvn -pl cluster/net -am test -Dtest=FuzzTest "
                    + "-Dteff.fuzz.seed=" + seed + " -Dteff.fuzz.inputs=1", e);
            }
        }
        System.out.println(String.format(Locale.ROOT, "FuzzTest: seed %d, %,d changed inputs, %,d frames shown, "
            + "%,d inputs refused, %,d handshakes done", SEED, inputs, shown, refused, done));
        assertTrue(INPUTS < 1000 || shown > 0 && refused > 0 && done > 0);
    }
}
