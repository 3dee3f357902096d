package io.teff.cluster.net;

import io.teff.cluster.net.wire.Frame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A file of bytes that people can read: entries {@code [name key=value ...]}, below each its bytes in hex, {@code XX*N}
 * for N equal ones, {@code #} for comments.
 */
public final class GoldenFile {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");
    private static final int BYTES_PER_LINE = 32;
    private static final int REPEAT_MIN = 16;
    private static final int GREETING_HEAD_BYTES = 8;

    /** A named byte sequence with its attributes. */
    public record Entry(String name, Map<String, String> says, byte[] bytes) {
        Entry(String name, byte[] bytes, String... says) {
            this(name, new TreeMap<>(), bytes);
            for (int i = 0; i < says.length; i += 2) {
                this.says.put(says[i], says[i + 1]);
            }
        }

        String say(String key) {
            return says.getOrDefault(key, "");
        }

        String head() {
            final StringBuilder text = new StringBuilder("[" + name);
            says.forEach((key, value) -> text.append(' ').append(key).append('=').append(value));
            return text.append(']').toString();
        }

        /** Compares names and bytes, without the attributes meant for human readers. */
        boolean isSame(Entry other) {
            return head().equals(other.head()) && Arrays.equals(bytes, other.bytes);
        }
    }

    private GoldenFile() {}

    /** Returns the path of a golden file by its name. */
    static Path path(String name) {
        final URL url = Objects.requireNonNull(GoldenFile.class.getResource("golden/" + name), name);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(name, e);
        }
    }

    // ---- reading ----

    public static List<Entry> read(String name) throws IOException {
        final List<Entry> entries = new ArrayList<>();
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String head = "";
        for (String line : Files.readAllLines(path(name))) {
            final String text = line.replaceFirst("#.*", "").strip();
            if (text.startsWith("[")) {
                add(entries, head, bytes);
                head = text.substring(1, text.length() - 1);
            } else if (!text.isEmpty()) {
                for (String word : text.split("\\s+")) {
                    final String[] parts = word.split("\\*");
                    final int count = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
                    for (int i = 0; i < count; i++) {
                        bytes.write(HexFormat.fromHexDigits(parts[0]));
                    }
                }
            }
        }
        add(entries, head, bytes);
        return entries;
    }

    private static void add(List<Entry> to, String head, ByteArrayOutputStream bytes) {
        if (!head.isEmpty()) {
            final String[] words = head.split("[ =]");
            to.add(new Entry(words[0], bytes.toByteArray(), Arrays.copyOfRange(words, 1, words.length)));
            bytes.reset();
        }
    }

    // ---- writing ----

    /** Writes the current version of the file beside the test classes, for inspection or adoption. */
    static Path write(String name, List<Entry> entries) throws IOException {
        final StringBuilder text = new StringBuilder();
        for (Entry it : entries) {
            text.append('\n').append(it.head()).append('\n');
            write(text, it);
        }
        final Path path = path("decode.py").resolveSibling("now-" + name);
        Files.writeString(path, text.toString(), StandardCharsets.UTF_8);
        return path;
    }

    private static void write(StringBuilder text, Entry entry) {
        final MemorySegment memory = MemorySegment.ofArray(entry.bytes);
        final boolean isRefused = entry.says.containsKey("refused");
        int at = 0;
        while (at < entry.bytes.length) {
            final int left = entry.bytes.length - at;
            if (!isRefused && isGreeting(entry, memory, at)) {
                line(text, entry.bytes, at, GREETING_HEAD_BYTES, "length type");
                final int body = Frame.length(memory, at);
                line(text, entry.bytes, at + GREETING_HEAD_BYTES, body, "body");
                at += GREETING_HEAD_BYTES + body;
            } else if (!isRefused && left >= Frame.HEAD_BYTES && Frame.taken(Frame.length(memory, at)) <= left) {
                at += frame(text, entry.bytes, memory, at);
            } else {
                line(text, entry.bytes, at, left, "");
                at += left;
            }
        }
    }

    /** Greetings begin with the length of their body, which is not a valid start of a frame header. */
    private static boolean isGreeting(Entry entry, MemorySegment memory, int at) {
        if (entry.name.equals("frames")) {
            return false;
        }
        final int type = at + GREETING_HEAD_BYTES <= entry.bytes.length ? Frame.length(memory, at + Integer.BYTES) : 0;
        final int[] lengths = {-1, 80, 48, 64, 64, 2};
        return type > 0 && type < lengths.length && Frame.length(memory, at) == lengths[type];
    }

    private static int frame(StringBuilder text, byte[] bytes, MemorySegment memory, int at) {
        final int length = Frame.length(memory, at);
        final int flags = Frame.flags(memory, at);
        final int head = Frame.headBytes(flags);
        line(text, bytes, at, Frame.HEAD_BYTES, String.format(Locale.ROOT,
            "length %d, place, type %d, lane %d, flags %d, crc", length, Frame.type(memory, at),
            Frame.lane(memory, at), flags));
        line(text, bytes, at + Frame.HEAD_BYTES, head - Frame.HEAD_BYTES, "correlation");
        line(text, bytes, at + head, length - head, "payload");
        line(text, bytes, at + length, Frame.taken(length) - length, "pad");
        return Frame.taken(length);
    }

    private static void line(StringBuilder text, byte[] bytes, int from, int count, String comment) {
        boolean isFirst = true;
        for (int at = from; at < from + count; isFirst = false) {
            int same = 1;
            while (at + same < from + count && bytes[at + same] == bytes[at]) {
                same++;
            }
            final int end = Math.min(at + BYTES_PER_LINE, from + count);
            if (same >= REPEAT_MIN) {
                text.append(HEX.formatHex(bytes, at, at + 1)).append('*').append(same);
                at += same;
            } else {
                text.append(HEX.formatHex(bytes, at, end));
                at = end;
            }
            text.append(isFirst && !comment.isEmpty() ? "   # " + comment : "").append('\n');
        }
    }
}
