package io.teff.cluster.terminal.shell.value;

import java.util.HexFormat;
import java.util.Locale;

/** Bytes as people read them: offset, hexadecimal digits, and the letters among the bytes. */
public final class HexDump {
    private static final int ROW = 16;
    private static final int DIGITS = 3;
    private static final char FIRST_LETTER = ' ';
    private static final char LAST_LETTER = '~';

    private HexDump() {}

    /**
     * {@return lines of 16 bytes, each with a line feed; the last line says how many bytes are not shown}
     *
     * @param bytes any bytes
     * @param bytesMax number of bytes to show
     */
    public static String of(byte[] bytes, int bytesMax) {
        StringBuilder text = new StringBuilder();
        int end = Math.min(bytes.length, bytesMax);
        for (int from = 0; from < end; from += ROW) {
            StringBuilder digits = new StringBuilder();
            StringBuilder letters = new StringBuilder();
            for (int i = from; i < Math.min(end, from + ROW); i++) {
                digits.append(HexFormat.of().toHexDigits(bytes[i])).append(' ');
                letters.append(bytes[i] >= FIRST_LETTER && bytes[i] <= LAST_LETTER ? (char) bytes[i] : '.');
            }
            text.append(String.format(Locale.ROOT, "%08x  %-" + ROW * DIGITS + "s |%s|%n", from, digits, letters));
        }
        if (end < bytes.length) {
            text.append("and ").append(bytes.length - end).append(" more bytes; --all shows them\n");
        }
        return text.toString().replace("\r\n", "\n");
    }
}
