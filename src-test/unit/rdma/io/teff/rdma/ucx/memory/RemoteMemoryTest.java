package io.teff.rdma.ucx.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxPair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: remote memory is read and changed as if it were local, and never outside of its bounds. */
final class RemoteMemoryTest {
    private static final long SIZE = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.SYSV, UcxPair.TCP})
    void putAndGet_allocatedMemory_moveBytes(String transport) {
        try (UcxPair pair = UcxPair.open(transport); UcxMemory memory = pair.context.allocate(SIZE)) {
            UcxRemoteMemory remote = pair.toRight.remote(memory.key());
            assertEquals(SIZE, remote.size());
            for (int size : new int[] {1, 8, 5000, 300_000}) {
                MemorySegment source = pair.filled(size, size);
                MemorySegment target = pair.empty(size);
                remote.put(source, 0, size, 77, pair.leftRequest);
                pair.finish(pair.leftRequest);
                pair.toRight.flush(pair.leftRequest);
                pair.finish(pair.leftRequest);
                UcxPair.assertSame(source, memory.segment().asSlice(77), size);
                remote.get(target, 0, size, 77, pair.leftRequest);
                pair.finish(pair.leftRequest);
                UcxPair.assertSame(source, target, size);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.TCP})
    void putAndGet_registeredMemory_moveBytes(String transport) {
        try (UcxPair pair = UcxPair.open(transport)) {
            MemorySegment own = pair.empty(10_000);
            try (UcxMemory memory = pair.context.register(own)) {
                UcxRemoteMemory remote = pair.toRight.remote(memory.key());
                MemorySegment source = pair.filled(10_000, 5);
                remote.put(source, 0, 10_000, 0, pair.leftRequest);
                pair.finish(pair.leftRequest);
                pair.left.flush(pair.leftRequest);
                pair.finish(pair.leftRequest);
                UcxPair.assertSame(source, own, 10_000);
                MemorySegment target = pair.empty(100);
                remote.get(target, 0, 100, 9_900, pair.leftRequest);
                pair.finish(pair.leftRequest);
                UcxPair.assertSame(source.asSlice(9_900), target, 100);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.SYSV, UcxPair.TCP})
    void atomics_of8Bytes_changeTheWord(String transport) {
        try (UcxPair pair = UcxPair.open(transport); UcxMemory memory = pair.context.allocate(64)) {
            UcxRemoteMemory remote = pair.toRight.remote(memory.key());
            MemorySegment word = memory.segment();
            UcxRequest request = pair.leftRequest;
            word.set(ValueLayout.JAVA_LONG, 0, 1);              // a neighbour that must stay
            word.set(ValueLayout.JAVA_LONG, 8, 40);
            word.set(ValueLayout.JAVA_LONG, 16, 1);
            remote.fetchAndAdd64(8, 2, request);
            assertFetched(pair, 40, word, 42);
            change(pair, remote, UcxAtomic.AND, 0b1010);
            assertEquals(0b1010, word.get(ValueLayout.JAVA_LONG, 8));
            change(pair, remote, UcxAtomic.OR, 0b0101);
            assertEquals(0b1111, word.get(ValueLayout.JAVA_LONG, 8));
            change(pair, remote, UcxAtomic.XOR, 0b0110);
            assertEquals(0b1001, word.get(ValueLayout.JAVA_LONG, 8));
            remote.swap64(8, Long.MIN_VALUE, request);
            assertFetched(pair, 0b1001, word, Long.MIN_VALUE);
            remote.compareAndSwap64(8, 3, 5, request);
            assertFetched(pair, Long.MIN_VALUE, word, Long.MIN_VALUE);
            remote.compareAndSwap64(8, Long.MIN_VALUE, -9, request);
            assertFetched(pair, Long.MIN_VALUE, word, -9);
            change(pair, remote, UcxAtomic.ADD, 10);
            assertEquals(1, word.get(ValueLayout.JAVA_LONG, 8));
            assertEquals(1, word.get(ValueLayout.JAVA_LONG, 0));
            assertEquals(1, word.get(ValueLayout.JAVA_LONG, 16));
        }
    }

    private static void change(UcxPair pair, UcxRemoteMemory remote, UcxAtomic operation, long operand) {
        remote.change64(operation, 8, operand, pair.leftRequest);
        pair.finish(pair.leftRequest);
        pair.toRight.flush(pair.leftRequest);
        pair.finish(pair.leftRequest);
    }

    private static void assertFetched(UcxPair pair, long before, MemorySegment word, long after) {
        pair.finish(pair.leftRequest);
        assertEquals(before, pair.leftRequest.fetched64());
        assertEquals(after, word.get(ValueLayout.JAVA_LONG, 8));
    }

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.TCP})
    void atomics_of4Bytes_changeTheWord(String transport) {
        try (UcxPair pair = UcxPair.open(transport); UcxMemory memory = pair.context.allocate(64)) {
            UcxRemoteMemory remote = pair.toRight.remote(memory.key());
            MemorySegment word = memory.segment();
            UcxRequest request = pair.leftRequest;
            word.set(ValueLayout.JAVA_INT, 4, 40);
            word.set(ValueLayout.JAVA_INT, 8, -1);
            remote.fetchAndAdd32(4, -2, request);
            assertFetched32(pair, 40, word, 38);
            remote.swap32(4, Integer.MIN_VALUE, request);
            assertFetched32(pair, 38, word, Integer.MIN_VALUE);
            remote.compareAndSwap32(4, Integer.MIN_VALUE, -9, request);
            assertFetched32(pair, Integer.MIN_VALUE, word, -9);
            remote.compareAndSwap32(4, 1, 2, request);
            assertFetched32(pair, -9, word, -9);
            remote.change32(UcxAtomic.XOR, 4, -1, request);
            pair.finish(request);
            pair.toRight.flush(request);
            pair.finish(request);
            assertEquals(8, word.get(ValueLayout.JAVA_INT, 4));
            assertEquals(-1, word.get(ValueLayout.JAVA_INT, 8), "the word behind");
        }
    }

    private static void assertFetched32(UcxPair pair, int before, MemorySegment word, int after) {
        pair.finish(pair.leftRequest);
        assertEquals(before, pair.leftRequest.fetched32());
        assertEquals(after, word.get(ValueLayout.JAVA_INT, 4));
    }

    @Test
    void operations_outOfBounds_areRefused() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX); UcxMemory memory = pair.context.allocate(64)) {
            UcxRemoteMemory remote = pair.toRight.remote(memory.key());
            MemorySegment local = pair.empty(128);
            UcxRequest request = pair.leftRequest;
            assertThrows(IndexOutOfBoundsException.class, () -> remote.put(local, 0, 8, 57, request));
            assertThrows(IndexOutOfBoundsException.class, () -> remote.get(local, 0, 65, 0, request));
            assertThrows(IndexOutOfBoundsException.class, () -> remote.get(local, 0, 8, -8, request));
            assertThrows(IndexOutOfBoundsException.class, () -> remote.swap64(64, 1, request));
            assertThrows(IllegalArgumentException.class, () -> remote.swap64(4, 1, request));
            assertThrows(IllegalArgumentException.class, () -> remote.swap32(2, 1, request));
            assertTrue(request.isDone());
            remote.put(local, 0, 64, 0, request);
            pair.finish(request);
        }
    }

    @Test
    void remote_damagedKey_isRefused() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX); UcxMemory memory = pair.context.allocate(64)) {
            byte[] key = memory.key();
            for (int i = 0; i < key.length; i++) {
                byte[] damaged = key.clone();
                damaged[i] ^= 0x10;
                assertThrows(IllegalArgumentException.class, () -> pair.toRight.remote(damaged), "byte " + i);
            }
            byte[] address = pair.right.address();
            assertThrows(IllegalArgumentException.class, () -> pair.toRight.remote(address), "an address");
            assertThrows(IllegalArgumentException.class, () -> pair.left.connect(key, UcxErrorMode.PEER), "a key");
        }
    }

    /** The key of memory that is gone leads nowhere: a typed failure, and everything else works. */
    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.SYSV, UcxPair.TCP})
    void remote_memoryWasClosed_failsWithAStatus(String transport) {
        try (UcxPair pair = UcxPair.open(transport)) {
            UcxMemory memory = pair.context.allocate(SIZE);
            byte[] key = memory.key();
            memory.close();
            UcxException failure = assertThrows(UcxException.class, () -> pair.toRight.remote(key));
            assertEquals(UcxStatus.UNREACHABLE, failure.status());
            try (UcxMemory next = pair.context.allocate(SIZE)) {
                UcxRemoteMemory remote = pair.toRight.remote(next.key());
                remote.put(pair.filled(64, 1), 0, 64, 0, pair.leftRequest);
                pair.finish(pair.leftRequest);
            }
        }
    }

    @Test
    void fence_betweenPuts_keepsTheirOrder() {
        try (UcxPair pair = UcxPair.open(UcxPair.POSIX); UcxMemory memory = pair.context.allocate(64)) {
            UcxRemoteMemory remote = pair.toRight.remote(memory.key());
            UcxRequest second = pair.left.request();
            MemorySegment source = pair.filled(16, 1);
            remote.put(source, 0, 8, 0, pair.leftRequest);
            pair.left.fence();
            remote.put(source, 8, 8, 0, second);
            pair.finish(pair.leftRequest, second);
            pair.left.flush(second);
            pair.finish(second);
            UcxPair.assertSame(source.asSlice(8), memory.segment(), 8);
        }
    }
}
