package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.Handler;
import io.teff.cluster.net.stream.Delivery;
import io.teff.cluster.net.stream.IncomingMessage;
import io.teff.cluster.net.wire.Control;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.Greeting;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/**
 * Goal: the oracles of the simulation find the bugs that they are made for. Method: each test plants one bug into a
 * seam of the simulated networks, such as their links, executors or handlers, and runs one history after the other
 * until one fails; the named oracle must report it, and fail in the same way when the seed is used again. Without a bug
 * all of these histories pass: that is {@link SimTest}, which begins with the same seeds.
 */
final class PlantedBugsTest {
    private static final int SEEDS = 100;
    /** The bug takes effect on this occasion, when a history is well under way. */
    private static final int TIMES = 20;
    /** More turns than handlers get before all tasks must be done. */
    private static final int TURNS = 1000;

    /** Counts the occasions until the bug takes effect, once. */
    private static final class Times {
        private int count;

        boolean isNow() {
            count++;
            return count == TIMES;
        }
    }

    private static void assertFound(Oracle by, Supplier<Plant> bug) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            final String found = failure(seed, bug);
            if (found != null) {
                final String[] lines = found.split("\n", 3);
                assertTrue(lines[0].startsWith("seed " + seed + "; reproduce: mvn ")
                    && lines[0].endsWith(" -Dseed=" + seed), found);
                assertTrue(lines[1].startsWith(by + ": "), found);
                assertEquals(found, failure(seed, bug));
                System.out.println("PlantedBugsTest: found after " + seed + " seeds by " + lines[1]);
                return;
            }
        }
        fail(SEEDS + " seeds were all right");
    }

    private static @Nullable String failure(long seed, Supplier<Plant> bug) {
        try {
            new SimRun(seed, bug.get()).run();
            return null;
        } catch (AssertionError e) {
            return e.getMessage();
        }
    }

    private static int lane(byte[] message) {
        return (int) ByteBuffer.wrap(message).getLong();
    }

    // ---- links ----

    private static boolean isGreeting(byte[] bytes) {
        final ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return head.getInt(0) + Greeting.HEAD_BYTES == bytes.length;
    }

    /** In a world without checksums; greetings and frame headers, which have zeros, are verified there too. */
    @Test
    void bitOfAPayloadChanges_contentIsWrong() {
        assertFound(Oracle.CONTENT, () -> new Plant() {
            private final Times times = new Times();

            @Override
            void write(SimWorld world, byte[] bytes) {
                final int at = bytes.length / 2;
                boolean isPayload = !world.hasChecksums && bytes.length > 2 * Frame.LONG_HEAD_BYTES
                    && !isGreeting(bytes);
                for (int i = at - Long.BYTES; isPayload && i <= at + Long.BYTES; i++) {
                    isPayload = bytes[i] != 0;
                }
                if (isPayload && times.isNow()) {
                    bytes[at] ^= 1;
                }
            }
        });
    }

    @Test
    void progressPromisesMore_sidesDisagree() {
        assertFound(Oracle.PAIR, () -> new Plant() {
            private final Times times = new Times();

            @Override
            void write(SimWorld world, byte[] bytes) {
                final MemorySegment frame = Control.allocate();
                if (world.hasChecksums || bytes.length != Control.BYTES_MAX) {
                    return;
                }
                MemorySegment.copy(bytes, 0, frame, ValueLayout.JAVA_BYTE, 0, bytes.length);
                if (Frame.flags(frame, 0) == Frame.CONTROL && Frame.type(frame, 0) == Control.PROGRESS
                    && times.isNow()) {
                    Control.putProgress(frame, 0, Control.received(frame, 0), 2 * Control.limit(frame, 0));
                    MemorySegment.copy(frame, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
                }
            }
        });
    }

    @Test
    void linksLoseWhatTheyTake_sessionEndsWithoutNeed() {
        assertFound(Oracle.SESSION, () -> new Plant() {
            private final Times times = new Times();
            private boolean isBroken;

            @Override
            boolean isLost(SimWorld world, int from, int to) {
                final boolean isIt = !world.hasFaults && from == 1 && to == 2;
                isBroken |= isIt && times.isNow();
                return isBroken && isIt;
            }
        });
    }

    // ---- handlers ----

    @Test
    void messageIsHandledTwice_isNotOnce() {
        assertFound(Oracle.ONCE, () -> new Plant() {
            private final Times times = new Times();

            @Override
            Handler<byte[]> handler(Handler<byte[]> its) {
                return (from, bytes) -> {
                    its.handle(from, bytes);
                    if (times.isNow()) {
                        its.handle(from, bytes);
                    }
                };
            }
        });
    }

    @Test
    void messageWithoutLaneIsForgotten_isMissing() {
        assertFound(Oracle.ARRIVAL, () -> new Plant() {
            private final Times times = new Times();

            @Override
            Handler<byte[]> handler(Handler<byte[]> its) {
                return (from, bytes) -> {
                    if (lane(bytes) > 0 || !times.isNow()) {
                        its.handle(from, bytes);
                    }
                };
            }
        });
    }

    @Test
    void messageOfALaneIsForgotten_nextOneIsOutOfOrder() {
        assertFound(Oracle.ORDER, () -> new Plant() {
            private final Times times = new Times();

            @Override
            Handler<byte[]> handler(Handler<byte[]> its) {
                return (from, bytes) -> {
                    if (lane(bytes) == 0 || !times.isNow()) {
                        its.handle(from, bytes);
                    }
                };
            }
        });
    }

    @Test
    void messagesOfALaneAreSwapped_areOutOfOrder() {
        assertFound(Oracle.ORDER, () -> new Plant() {
            private byte @Nullable [] first;

            @Override
            Handler<byte[]> handler(Handler<byte[]> its) {
                return (from, bytes) -> {
                    final byte[] before = first;
                    if (lane(bytes) != 1 || from != 1) {
                        its.handle(from, bytes);
                    } else if (before == null) {
                        first = bytes;
                    } else {
                        its.handle(from, bytes);
                        its.handle(from, before);
                    }
                };
            }
        });
    }

    @Test
    void answerHasOtherBytes_contentIsWrong() {
        assertFound(Oracle.CONTENT, () -> new Plant() {
            private final Times times = new Times();

            @Override
            byte[] answer(byte[] request) {
                return times.isNow() ? Arrays.copyOf(request, request.length + 1) : request;
            }
        });
    }

    @Test
    void requestNeverEnds_isFoundAtTheEnd() {
        assertFound(Oracle.REQUEST, () -> new Plant() {
            private final Times times = new Times();

            @Override
            CompletableFuture<byte[]> future(CompletableFuture<byte[]> its) {
                return times.isNow() ? new CompletableFuture<>() : its;
            }
        });
    }

    @Test
    void handlerThrows_isTold() {
        assertFound(Oracle.HANDLER, () -> new Plant() {
            private final Times times = new Times();

            @Override
            byte[] answer(byte[] request) {
                if (times.isNow()) {
                    throw new UnsupportedOperationException("planned");
                }
                return request;
            }
        });
    }

    // ---- executors ----

    @Test
    void taskOfAMessageIsLost_itsCreditIsNowhere() {
        assertFound(Oracle.CREDIT, () -> new Plant() {
            private final Times times = new Times();

            @Override
            void execute(List<Runnable> tasks, Runnable task) {
                if (!(task instanceof Delivery) || !times.isNow()) {
                    tasks.add(task);
                }
            }
        });
    }

    @Test
    void taskOfALaneIsLost_itsMessagesAreMissing() {
        assertFound(Oracle.ARRIVAL, () -> new Plant() {
            private final Times times = new Times();

            @Override
            void execute(List<Runnable> tasks, Runnable task) {
                if (task instanceof Delivery || task instanceof IncomingMessage || !times.isNow()) {
                    tasks.add(task);
                }
            }
        });
    }

    // ---- limits ----

    @Test
    void sessionIsGivenUpTooEarly_endsWithoutNeed() {
        assertFound(Oracle.SESSION, () -> new Plant() {
            @Override
            void configure(NetworkConfig.Builder config) {
                config.awayNs(1_000_000);
            }
        });
    }

    @Test
    void moreLinksThanMayBe_areCounted() {
        assertFound(Oracle.LINKS, () -> new Plant() {
            @Override
            void configure(NetworkConfig.Builder config) {
                config.linksMax(9);
            }
        });
    }

    @Test
    void ringsGrowFurther_memoryHasNoBounds() {
        assertFound(Oracle.MEMORY, () -> new Plant() {
            @Override
            void configure(NetworkConfig.Builder config) {
                config.ringBytes(1 << 14, 1 << 20);
            }
        });
    }

    @Test
    void windowIsLargerAndHandlersAreLate_memoryHasNoBounds() {
        assertFound(Oracle.MEMORY, () -> new Plant() {
            private int turns;

            @Override
            void configure(NetworkConfig.Builder config) {
                config.windowBytes(1 << 25);
            }

            @Override
            boolean isHandling() {
                turns++;
                return turns > TURNS;
            }
        });
    }

    @Test
    void arraysAreLongerThanTheirMessages_memoryHasNoBounds() {
        assertFound(Oracle.MEMORY, () -> new Plant() {
            @Override
            void begin(Network network) {
                network.agents().all().forEach(it -> it.dispatcher().arrays().source = bytes -> new byte[16 * bytes]);
            }
        });
    }

    // ---- nodes ----

    @Test
    void nodeThatStartsAnewSendsAgain_isNotOnce() {
        assertFound(Oracle.ONCE, () -> new Plant() {
            @Override
            boolean isGoingOn() {
                return false;
            }
        });
    }
}
