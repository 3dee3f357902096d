package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Goal: descriptions, fingerprints and bytes of version 1 stay as they are. Method: a file with those of the types of
 * {@link Samples}, which version 1 has written.
 */
final class GoldenCodecsTest {
    private static final int VALUES = 4;

    @Test
    void codecs_ofVersion1_haveTheSameBytes() throws IOException, ClassNotFoundException {
        int types = 0;
        try (InputStream golden = GoldenCodecsTest.class.getResourceAsStream("/golden/codecs-v1.txt")) {
            String text = new String(Objects.requireNonNull(golden).readAllBytes(), StandardCharsets.UTF_8);
            for (Iterator<String> lines = text.lines().iterator(); lines.hasNext(); types++) {
                String[] head = lines.next().split(" ");
                check(Class.forName(head[0]), head[1].equals("compact"), lines);
            }
        }
        assertEquals(2 * 19, types);
    }

    private static <T> void check(Class<T> type, boolean compact, Iterator<String> lines) {
        Schema<T> schema = compact ? Schema.builder(type).compact().build() : Schema.of(type);
        assertEquals(lines.next(), schema.description());
        assertEquals(lines.next(), Long.toHexString(schema.fingerprint()));
        for (int i = 0; i < VALUES; i++) {
            byte[] bytes = HexFormat.of().parseHex(lines.next());
            Input in = new Input(bytes, 0, bytes.length);
            Output out = Output.growing(16);
            schema.write(schema.read(in), out);
            assertEquals(0, in.left());
            assertArrayEquals(bytes, out.toByteArray(), type.getName());
        }
    }
}
