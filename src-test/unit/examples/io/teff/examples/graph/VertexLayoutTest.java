package io.teff.examples.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VertexLayoutTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "abcd", "abcde", "java/lang/String", "sch\u00f6n/\u2603"})
    void encode_anyName_putsEachPartWhereTheDrawingSays(String name) {
        long[] references = {11, -12, 1L << 48 | 13, 99};
        ByteBuffer chunk = ByteBuffer.wrap(VertexLayout.encode(-77, name, references, 3))
            .order(ByteOrder.LITTLE_ENDIAN);
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        int offset = VertexLayout.referencesOffset(nameBytes.length);
        assertEquals(-77, chunk.getLong(0));
        assertEquals(-12, VertexLayout.cid(chunk.array(), VertexLayout.referencesAt(chunk.array(), 0) + 8));
        assertEquals(nameBytes.length, chunk.getInt(8));
        assertEquals(name, new String(chunk.array(), 12, nameBytes.length, StandardCharsets.UTF_8));
        for (int i = 12 + nameBytes.length; i < offset; i++) {
            assertEquals(0, chunk.get(i));
        }
        assertEquals(offset + 3 * 8, chunk.limit());
        for (int i = 0; i < 3; i++) {
            assertEquals(references[i], chunk.getLong(offset + i * 8));
        }
    }

    @Test
    void referencesOffset_anyNameLength_isTheNextMultipleOfEight() {
        for (int length = 0; length < 100; length++) {
            int offset = VertexLayout.referencesOffset(length);
            assertTrue(offset % 8 == 0 && offset >= 12 + length && offset < 12 + length + 8, "length=" + length);
        }
    }

    @Test
    void encode_noReferences_endsBehindTheName() {
        byte[] chunk = VertexLayout.encode(0, "a/B", new long[0], 0);
        assertEquals(16, chunk.length);
        assertEquals(0, Arrays.copyOf(chunk, 8)[7]);
    }
}
