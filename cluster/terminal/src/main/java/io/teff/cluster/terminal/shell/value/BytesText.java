package io.teff.cluster.terminal.shell.value;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes as a word: a text, or {@code 0x} and hexadecimal digits. */
public final class BytesText {
    private static final String HEX = "0x";

    private BytesText() {}

    /**
     * {@return bytes as a text if they are one without control characters, else as hexadecimal digits}
     *
     * @param bytes any bytes
     */
    public static String of(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith(HEX) || text.chars().anyMatch(Character::isISOControl) ? hex(bytes) : text;
        } catch (CharacterCodingException _) {
            return hex(bytes);
        }
    }

    /**
     * {@return the bytes of a word}
     *
     * @param word a text, or {@code 0x} and hexadecimal digits
     * @throws IllegalArgumentException if the digits are none
     */
    public static byte[] bytes(String word) {
        return word.startsWith(HEX) ? digits(word) : word.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the bytes of hexadecimal digits behind 0x. */
    static byte[] digits(String word) {
        try {
            return HexFormat.of().parseHex(word, HEX.length(), word.length());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + word + "' has no even number of hexadecimal digits behind 0x", e);
        }
    }

    private static String hex(byte[] bytes) {
        return HEX + HexFormat.of().formatHex(bytes);
    }
}
