package io.teff.cluster.collect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The states of a part, and their bytes, which are in zones and in backups. */
class RangeStateTest {
    private static byte[] key(int key) {
        return new byte[] {(byte) key};
    }

    private static byte[] bytes(RangeState state) {
        Output out = Output.growing(64);
        out.putValue(RangeState.CODEC, state);
        return out.toByteArray();
    }

    private static RangeState read(byte[] bytes) {
        return RangeState.CODEC.read(new Input(bytes, 0, bytes.length));
    }

    @Test
    void bytes_areThoseOfVersion1() {
        RangeState state = new RangeState(key(3), key(9), false, true, false, 0x51, 0x52, 7, 40, key(5), 2);
        byte[] bytes = bytes(state);
        assertEquals("01170000" + "0100000003" + "0100000009" + "0100000005" + "5100000000000000" + "5200000000000000"
            + "0700000000000000" + "2800000000000000" + "0200000000000000", HexFormat.of().formatHex(bytes));
        RangeState again = read(bytes);
        assertArrayEquals(bytes, bytes(again));
        assertTrue(again.hasSlice() && again.isSplitting() && !again.isSettled() && !again.isUnborn());
        assertNull(read(bytes(RangeState.WHOLE)).high());
        for (int damaged : new int[] {0, 1, 2, 3}) {
            byte[] other = bytes.clone();
            other[damaged] = 0x7F;
            assertThrows(MalformedException.class, () -> read(other), "byte " + damaged);
        }
        byte[] cut = new byte[bytes.length - 1];
        System.arraycopy(bytes, 0, cut, 0, cut.length);
        assertThrows(MalformedException.class, () -> read(cut));
    }

    @Test
    void split_endsWithItsLastSlice() {
        RangeState part = RangeState.WHOLE.begun(8, 5, null);
        assertEquals(8, part.next());
        part = part.cut(key(7), 3, false);
        assertTrue(part.hasSlice() && part.isSplitting());
        assertFalse(part.isExact());
        part = part.released();
        assertTrue(part.isSplitting() && !part.hasSlice());
        assertEquals(1, part.slices());
        part = part.cut(key(5), 2, true).released();
        assertFalse(part.isSplitting());
        assertArrayEquals(key(5), part.high());
        assertEquals(8, part.next());
        assertTrue(part.isExact());
        RangeState again = part.begun(9, 100, key(2));
        assertEquals(0, again.slices());
        again = again.cut(key(4), 1, false).released();
        assertTrue(again.isSplitting(), "until the key");
        assertFalse(again.cut(key(2), 1, true).released().isSplitting());
    }

    @Test
    void target_takesSlices_untilItIsSettled() {
        RangeState target = RangeState.unborn(key(9), 4);
        assertTrue(target.isUnborn() && !target.isExact());
        target = target.took(key(7)).took(key(5));
        assertEquals(2, target.taken());
        assertArrayEquals(key(5), target.low());
        assertFalse(target.isUnborn() || target.isExact());
        assertTrue(target.settled().isExact());
        assertEquals(4, target.settled().next());
    }
}
