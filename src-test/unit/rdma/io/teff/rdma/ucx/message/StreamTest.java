package io.teff.rdma.ucx.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.worker.UcxPair;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: the bytes of a stream arrive in order, without borders. Method: two workers in one thread. */
final class StreamTest {
    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.SYSV, UcxPair.TCP})
    void streamReceive_whole_joinsSends(String transport) {
        try (UcxPair pair = UcxPair.open(transport)) {
            MemorySegment source = pair.filled(30_000, 1);
            MemorySegment target = pair.empty(30_000);
            pair.toLeft.streamReceive(target, 0, 30_000, true, pair.rightRequest);
            for (int i = 0; i < 30; i++) {
                pair.toRight.streamSend(source, i * 1000L, 1000, pair.leftRequest);
                pair.finish(pair.leftRequest);
            }
            pair.finish(pair.rightRequest);
            assertEquals(30_000, pair.rightRequest.length());
            UcxPair.assertSame(source, target, 30_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.TCP})
    void streamReceive_any_isDoneWithWhatIsThere(String transport) {
        try (UcxPair pair = UcxPair.open(transport)) {
            MemorySegment source = pair.filled(100, 2);
            MemorySegment target = pair.empty(1000);
            pair.toLeft.streamReceive(target, 0, 1000, false, pair.rightRequest);
            pair.toRight.streamSend(source, 0, 100, pair.leftRequest);
            pair.finish(pair.leftRequest, pair.rightRequest);
            long length = pair.rightRequest.length();
            assertTrue(length > 0 && length <= 100, "length " + length);
            UcxPair.assertSame(source, target, length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {UcxPair.POSIX, UcxPair.TCP})
    void streamReceive_bytesAreThere_isDoneAtOnce(String transport) {
        try (UcxPair pair = UcxPair.open(transport)) {
            MemorySegment source = pair.filled(100, 3);
            MemorySegment target = pair.empty(100);
            pair.toRight.streamSend(source, 0, 100, pair.leftRequest);
            pair.finish(pair.leftRequest);
            pair.toLeft.streamReceive(target, 0, 60, true, pair.rightRequest);
            pair.finish(pair.rightRequest);
            assertEquals(60, pair.rightRequest.length());
            pair.toLeft.streamReceive(target, 60, 40, true, pair.rightRequest);
            assertTrue(pair.rightRequest.isDone(), "the bytes were there");
            assertEquals(40, pair.rightRequest.length());
            UcxPair.assertSame(source, target, 100);
        }
    }
}
