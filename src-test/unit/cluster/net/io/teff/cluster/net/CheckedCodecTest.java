package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.stream.FragmentTable;
import io.teff.cluster.net.thread.UserCode;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: codecs that throw checked exceptions, which other JVM languages do not declare, fail like all others: only
 * their own message is affected, on the writing and on the reading side. In particular, their {@link IOException} is
 * not taken for an error of the link.
 *
 * <p>Method: messages that are written and read in parts, and throw in the middle.
 */
final class CheckedCodecTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final long PATIENCE_S = 60;
    private static final int MORE_THAN_MAY_BEGIN = FragmentTable.COUNT_MAX + 4;
    private static final byte[] MUCH = new byte[150_000];
    private static final RequestType<Long, Long> SQUARES = RequestType.of(1, Codecs.LONG, Codecs.LONG);
    private static final MessageType<Trap> TRAPS = MessageType.of(2, LongKinds.schema(Trap.class)
        .storeAs(Fuse.class, String.class, Fuse::burn, Fuse::of).build());
    private static final RequestType<Long, Trap> TRAPS_OF = new RequestType<>(MessageType.of(3, Codecs.LONG), TRAPS);

    /** A message whose codec fails after its first bytes have been written or read. */
    private record Trap(byte[] front, Fuse fuse, byte[] back) {
        static Trap of(Fuse fuse) {
            return new Trap(MUCH, fuse, MUCH);
        }
    }

    /** When a codec throws, and which exception. */
    private enum Fuse {
        IO_AT_WRITE, CHECKED_AT_WRITE, IO_AT_READ, CHECKED_AT_READ, NEVER;

        String burn() {
            if (this == IO_AT_WRITE || this == CHECKED_AT_WRITE) {
                throw UserCode.undeclared(thrown());
            }
            return name();
        }

        static Fuse of(String name) {
            final Fuse its = valueOf(name);
            if (its != NEVER) {
                throw UserCode.undeclared(its.thrown());
            }
            return its;
        }

        Exception thrown() {
            return this == IO_AT_WRITE || this == IO_AT_READ ? new IOException("planned") : new Exception("planned");
        }
    }

    private final String name = "loop:checked-codec-test-" + NAMES.incrementAndGet() + "-";
    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    private final BlockingQueue<Throwable> failed = new LinkedBlockingQueue<>();

    private NetworkConfig.Builder config(int nid) {
        return PatientConfig.of(nid).listen(name + nid).addresses(book::get).handlerThreads(2)
            .listener(new NetworkListener() {
                @Override
                public void failed(int from, int type, Throwable thrown) {
                    failed.add(thrown);
                }
            });
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        final Network network = Network.open(config.build());
        book.put(network.nid(), network.addresses().getFirst());
        network.answer(SQUARES, (from, number) -> number * number);
        return network;
    }

    private static <T> T end(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** Also asserts that no link broke and that no partial message is left. */
    private static void assertGoesOn(Network one, Network two) throws Exception {
        assertEquals(9L, end(one.request(2, SQUARES, 3L)));
        assertEquals(16L, end(two.request(1, SQUARES, 4L)));
        for (Network it : new Network[] {one, two}) {
            assertEquals(0, it.stats().linksLost(), () -> it.stats().toString());
            assertEquals(0, it.stats().sessionsLost(), () -> it.stats().toString());
            assertEquals(0, it.stats().requestsInFlight());
        }
    }

    private void assertFails(Network one, Fuse fuse, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            one.send(2, i % 2, TRAPS, Trap.of(fuse));
        }
        for (int i = 0; i < times; i++) {
            final Throwable thrown = failed.poll(PATIENCE_S, TimeUnit.SECONDS);
            assertInstanceOf(fuse.thrown().getClass(), thrown);
        }
    }

    /** More messages than there are threads. */
    @Test
    void messageThatCannotBeRead_isItsHandlersFailure() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2))) {
            final BlockingQueue<Fuse> handled = new LinkedBlockingQueue<>();
            two.handle(TRAPS, (from, trap) -> handled.add(trap.fuse));
            assertFails(one, Fuse.IO_AT_READ, 6);
            assertFails(one, Fuse.CHECKED_AT_READ, 6);
            one.send(2, 1, TRAPS, Trap.of(Fuse.NEVER));
            assertEquals(Fuse.NEVER, handled.poll(PATIENCE_S, TimeUnit.SECONDS));
            assertGoesOn(one, two);
        }
    }

    /** The agent reads this message. */
    @Test
    void messageThatCannotBeRead_ofAShortHandler_isItsFailure() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2))) {
            final BlockingQueue<Fuse> handled = new LinkedBlockingQueue<>();
            two.handleShort(TRAPS, (from, trap) -> handled.add(trap.fuse));
            assertFails(one, Fuse.IO_AT_READ, 2);
            assertFails(one, Fuse.CHECKED_AT_READ, 2);
            one.send(2, 1, TRAPS, Trap.of(Fuse.NEVER));
            assertEquals(Fuse.NEVER, handled.poll(PATIENCE_S, TimeUnit.SECONDS));
            assertGoesOn(one, two);
        }
    }

    @Test
    void answerThatCannotBeRead_endsItsRequest() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2))) {
            two.answer(TRAPS_OF, (from, number) -> Trap.of(Fuse.values()[number.intValue()]));
            for (Fuse it : new Fuse[] {Fuse.IO_AT_READ, Fuse.CHECKED_AT_READ}) {
                final Throwable why = assertThrows(ExecutionException.class,
                    () -> end(one.request(2, TRAPS_OF, (long) it.ordinal()))).getCause();
                assertEquals(Reason.FAILED, assertInstanceOf(NetworkException.class, why).reason());
                assertInstanceOf(it.thrown().getClass(), why.getCause());
            }
            assertEquals(Fuse.NEVER, end(one.request(2, TRAPS_OF, (long) Fuse.NEVER.ordinal())).fuse);
            assertGoesOn(one, two);
        }
    }

    /** If the first part were not followed by an end, no further long message could begin. */
    @Test
    void messageThatCannotBeWritten_isItsSendersFailure() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2))) {
            final BlockingQueue<Fuse> handled = new LinkedBlockingQueue<>();
            two.handle(TRAPS, (from, trap) -> handled.add(trap.fuse));
            for (int i = 0; i < MORE_THAN_MAY_BEGIN; i++) {
                final Fuse fuse = i % 2 == 0 ? Fuse.IO_AT_WRITE : Fuse.CHECKED_AT_WRITE;
                assertInstanceOf(fuse.thrown().getClass(),
                    assertThrows(Exception.class, () -> one.send(2, 0, TRAPS, Trap.of(fuse))));
            }
            one.send(2, 0, TRAPS, Trap.of(Fuse.NEVER));
            assertEquals(Fuse.NEVER, handled.poll(PATIENCE_S, TimeUnit.SECONDS));
            assertEquals(1, one.stats().messagesSent());
            assertGoesOn(one, two);
        }
    }

    @Test
    void requestThatCannotBeWritten_isItsSendersFailure() throws Exception {
        final RequestType<Trap, Long> lengths = new RequestType<>(TRAPS, MessageType.of(2, Codecs.LONG));
        try (Network one = open(config(1)); Network two = open(config(2))) {
            two.answer(lengths, (from, trap) -> (long) trap.front.length);
            for (Fuse it : new Fuse[] {Fuse.IO_AT_WRITE, Fuse.CHECKED_AT_WRITE}) {
                assertInstanceOf(it.thrown().getClass(),
                    assertThrows(Exception.class, () -> one.request(2, lengths, Trap.of(it))));
            }
            assertEquals(MUCH.length, end(one.request(2, lengths, Trap.of(Fuse.NEVER))));
            assertGoesOn(one, two);
        }
    }

    @Test
    void answerThatCannotBeWritten_isItsHandlersFailure() throws Exception {
        try (Network one = open(config(1)); Network two = open(config(2))) {
            two.answer(TRAPS_OF, (from, number) -> Trap.of(Fuse.values()[number.intValue()]));
            for (int i = 0; i < MORE_THAN_MAY_BEGIN; i++) {
                final Fuse fuse = i % 2 == 0 ? Fuse.IO_AT_WRITE : Fuse.CHECKED_AT_WRITE;
                final Throwable why = assertThrows(ExecutionException.class,
                    () -> end(one.request(2, TRAPS_OF, (long) fuse.ordinal()))).getCause();
                assertEquals(Reason.FAILED, assertInstanceOf(NetworkException.class, why).reason());
                assertTrue(String.valueOf(why.getMessage()).contains("planned"), why::toString);
            }
            assertEquals(Fuse.NEVER, end(one.request(2, TRAPS_OF, (long) Fuse.NEVER.ordinal())).fuse);
            assertGoesOn(one, two);
        }
    }
}
