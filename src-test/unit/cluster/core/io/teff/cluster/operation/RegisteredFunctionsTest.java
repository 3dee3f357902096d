package io.teff.cluster.operation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.FunctionEntry;
import io.teff.cluster.operation.FunctionCall.Decision;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.os.Clock;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a registered function may do, and how it fails. */
class RegisteredFunctionsTest {
    private final AtomicLong timeNs = new AtomicLong();
    private final RegisteredFunctions functions = new RegisteredFunctions();
    private final Clock clock = timeNs::get;

    private interface Body {
        byte @Nullable [] run(FunctionEntry entry);
    }

    private record Named(String name, Body body) implements ClusterFunction {
        @Override
        public void call(FunctionEntry entry) {
            byte[] result = body.run(entry);
            if (result != null) {
                entry.result(result);
            }
        }
    }

    private Decision run(byte @Nullable [] value, Body body) {
        functions.register(new Named("f" + timeNs.incrementAndGet(), body));
        return run("f" + timeNs.get(), value);
    }

    private Decision run(String name, byte @Nullable [] value) {
        return functions.run(new FunctionCall(name, new byte[] {9}), new byte[] {1, 2}, value, 100, clock);
    }

    private static String text(Decision decision) {
        assertFalse(decision.hasChange());
        byte[] text = decision.result();
        return text == null ? "" : new String(text, StandardCharsets.UTF_8);
    }

    @Test
    void decision_isTheLastOneOfTheFunction() {
        byte[] given = {3};
        Decision put = run(given, entry -> {
            entry.remove();
            byte[] value = entry.value();
            value[0]++;                                         // copies
            entry.key()[0]++;
            entry.put(value);
            value[0]++;
            return entry.argument();
        });
        assertEquals(OperationFormat.DONE, put.code());
        assertTrue(put.hasChange());
        assertArrayEquals(new byte[] {4}, put.value());
        assertArrayEquals(new byte[] {9}, put.result());
        assertArrayEquals(new byte[] {3}, given);
        Decision removed = run(given, entry -> {
            entry.put(new byte[5]);
            entry.remove();
            return null;
        });
        assertTrue(removed.hasChange());
        assertNull(removed.value());
        assertNull(removed.result());
        assertFalse(run(given, FunctionEntry::value).hasChange());
        Decision nothing = run((byte[]) null, entry -> {
            entry.remove();
            return entry.value();
        });
        assertFalse(nothing.hasChange(), "there was no entry");
    }

    @Test
    void function_thatBreaksALimit_hasFailed() {
        Decision late = run(new byte[1], entry -> {
            entry.put(new byte[2]);
            timeNs.addAndGet(ClusterFunction.LIMIT_NS + 1);
            return null;
        });
        assertEquals(OperationFormat.FUNCTION_FAILED, late.code());
        assertTrue(text(late).contains("the limit is 2"), text(late));
        Decision inTime = run(new byte[1], entry -> {
            timeNs.addAndGet(ClusterFunction.LIMIT_NS);
            entry.put(new byte[98]);
            return new byte[ClusterFunction.RESULT_BYTES_MAX];
        });
        assertEquals(OperationFormat.DONE, inTime.code());
        assertTrue(text(run(new byte[1], entry -> {
            entry.put(new byte[99]);
            return null;
        })).contains("an entry of 101 bytes"));
        assertTrue(text(run(new byte[1], _ -> new byte[ClusterFunction.RESULT_BYTES_MAX + 1])).contains("1025 bytes"));
        assertEquals("java.lang.AssertionError: no", text(run(null, _ -> {
            throw new AssertionError("no");
        })));
        assertTrue(text(run(null, _ -> {
            throw new Unprintable();
        })).endsWith("Unprintable"));
    }

    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new IllegalStateException();
        }
    }

    @Test
    void names_areOfOneFunction() {
        assertEquals(OperationFormat.NO_FUNCTION, run("none", new byte[1]).code());
        ClusterFunction one = new Named("same", _ -> new byte[0]);
        functions.register(one);
        functions.register(one);
        assertEquals(OperationFormat.DONE, run("same", null).code());
        functions.register(new Named("same", _ -> new byte[0]));
        Decision twice = run("same", null);
        assertEquals(OperationFormat.NO_FUNCTION, twice.code());
        assertTrue(text(twice).contains("several classes have this name"), text(twice));
    }

    @Test
    void call_asBytes_comesBack_orIsMalformed() {
        byte[] bytes = new FunctionCall("\u00E9/1", new byte[] {5, 6}).toBytes();
        byte[] shifted = new byte[3 + bytes.length];
        System.arraycopy(bytes, 0, shifted, 3, bytes.length);
        FunctionCall read = FunctionCall.read(shifted, 3);
        assertEquals("\u00E9/1", read.name());
        assertArrayEquals(new byte[] {5, 6}, read.argument());
        for (int length = 0; length < 8; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(MalformedException.class, () -> FunctionCall.read(cut, 0), "of " + length + " bytes");
        }
        for (int wrong : new int[] {0, -1, ClusterFunction.NAME_BYTES_MAX + 1, Integer.MAX_VALUE}) {
            byte[] other = new byte[300];
            MemorySegment.ofArray(other).set(OperationFormat.INT, 0, wrong);
            assertThrows(MalformedException.class, () -> FunctionCall.read(other, 0), "a name of " + wrong);
        }
        byte[] long64 = Arrays.copyOf(bytes, 8 + ClusterFunction.ARGUMENT_BYTES_MAX + 1);
        assertThrows(MalformedException.class, () -> FunctionCall.read(long64, 0));
    }
}
