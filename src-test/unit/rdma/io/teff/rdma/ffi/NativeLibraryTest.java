package io.teff.rdma.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.RdmaUnavailableException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import org.junit.jupiter.api.Test;

/** Libraries and functions that are there or not, with libraries that every machine has or none. */
final class NativeLibraryTest {
    private static final NativeLibrary ABSENT = NativeLibrary.of("libteff-absent.so.1", "libteff-absent1");
    /** A constant of a class, as bindings have them: it must not fail while the class is loaded. */
    private static final Downcall OF_ABSENT = Downcall.of(ABSENT, "absent_call", Downcall.Result.INT, 2);
    private static final Downcall NOT_IN_C = Downcall.of(NativeLibrary.C, "teff_absent", Downcall.Result.VOID, 0);
    private static final Downcall CLOSE = Downcall.of(NativeLibrary.C, "close", Downcall.Result.INT, 1);
    private static final Downcall LABS = Downcall.of(NativeLibrary.C, "labs", Downcall.Result.LONG, 1);
    private static final int EBADF = 9;

    @Test
    void call_ofAMissingLibrary_throwsEachTime() {
        assertFalse(ABSENT.isPresent());
        for (int i = 0; i < 2; i++) {
            RdmaUnavailableException failure = assertThrows(RdmaUnavailableException.class, () -> OF_ABSENT.call(1, 2));
            assertEquals("libteff-absent.so.1", failure.library());
            assertTrue(failure.getMessage().contains("apt-get install libteff-absent1"), failure.getMessage());
        }
        assertThrows(RdmaUnavailableException.class, ABSENT::require);
    }

    @Test
    void call_ofAMissingFunction_namesIt() {
        RdmaUnavailableException failure = assertThrows(RdmaUnavailableException.class, NOT_IN_C::call);
        assertTrue(failure.getMessage().contains("teff_absent"), failure.getMessage());
        assertFalse(NativeLibrary.C.has("teff_absent"));
        assertTrue(NativeLibrary.C.has("close"));
    }

    /** Each kind of handle has the type that it would have with the library, so that exact calls compile for both. */
    @Test
    void handle_ofAMissingLibrary_hasTheTypeOfALinkedOne() {
        FunctionDescriptor shape = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
        MethodHandle plain = ABSENT.handle("f", shape);
        assertEquals(MethodType.methodType(int.class, MemorySegment.class), plain.type());
        assertEquals(NativeLibrary.C.handle("strlen", shape).type(), plain.type());
        assertEquals(NativeLibrary.C.handle("strlen", shape, CallState.ERRNO).type(),
            ABSENT.handle("f", shape, CallState.ERRNO).type());
        FunctionDescriptor struct = FunctionDescriptor.of(MemoryLayout.structLayout(ValueLayout.JAVA_LONG));
        assertEquals(MethodType.methodType(MemorySegment.class, SegmentAllocator.class),
            ABSENT.handle("f", struct).type());
        assertEquals(NativeLibrary.C.handle("getpid", struct, CallState.ERRNO).type(),
            ABSENT.handle("f", struct, CallState.ERRNO).type());
    }

    @Test
    void call_thatFails_leavesItsErrno() {
        long result = CLOSE.call(-1);
        assertEquals(-1, result);
        RdmaException failure = assertThrows(RdmaException.class, () -> CLOSE.zero(result));
        assertEquals(EBADF, failure.errno());
        assertEquals("close failed: EBADF (9)", failure.getMessage());
    }

    @Test
    void zero_ofTheThreeWaysToFail_hasTheErrno() {
        assertEquals(EBADF, assertThrows(RdmaException.class, () -> CLOSE.zero(EBADF)).errno());
        assertEquals(EBADF, assertThrows(RdmaException.class, () -> CLOSE.zero(-EBADF)).errno());
        CLOSE.zero(0);
        CLOSE.call(-1);
        assertEquals(EBADF, assertThrows(RdmaException.class, () -> CLOSE.pointer(0)).errno());
        assertEquals(77, CLOSE.pointer(77));
    }

    @Test
    void call_withALong_keepsAll64Bits() {
        assertEquals(0x1234_5678_9abc_def0L, LABS.call(-0x1234_5678_9abc_def0L));
    }

    @Test
    void of_tooManyArguments_isRefused() {
        assertThrows(IllegalArgumentException.class,
            () -> Downcall.of(NativeLibrary.C, "close", Downcall.Result.INT, Downcall.ARGUMENTS_MAX + 1));
    }
}
