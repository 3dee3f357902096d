package io.teff.cluster.terminal.config;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.OptionValue;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/** Reads the values of a configuration file, and writes new files. */
public final class NodeFile {
    private static final int LIKE_MAX = 3;
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final Path file;
    private final TomlParseResult content;
    private final Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
    private final List<String> faults = new ArrayList<>();

    private NodeFile(Path file, TomlParseResult content) {
        this.file = file;
        this.content = content;
    }

    /**
     * Reads the values of a file.
     *
     * @param file the node's configuration file
     * @return values, not checked yet
     * @throws ConfigException if the file cannot be read, is no TOML, or has unknown keys or values of the wrong type
     */
    public static Map<NodeOption, OptionValue> read(Path file) throws ConfigException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new ConfigException(List.of(file + ": cannot be read: " + FailureText.of(e)));
        }
        NodeFile reader = new NodeFile(file, Toml.parse(decode(file, bytes)));
        reader.read();
        return reader.values;
    }

    /**
     * Decodes the bytes of a file. Editors of some systems write a byte order mark in front of UTF-8.
     *
     * @throws ConfigException if the text is not in UTF-8; names the line of the first wrong byte
     */
    private static String decode(Path file, byte[] bytes) throws ConfigException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        if (StandardCharsets.UTF_8.newDecoder().decode(in, out, true).isError()) {
            int line = 1 + (int) out.flip().chars().filter(each -> each == '\n').count();
            throw new ConfigException(List.of(file + ":" + line + ": is no text in the encoding UTF-8: the byte 0x"
                + HexFormat.of().withUpperCase().toHexDigits(bytes[in.position()]) + " is wrong"));
        }
        String text = out.flip().toString();
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    /**
     * Reads and checks a file.
     *
     * @param file the node's configuration file
     * @return the configuration
     * @throws ConfigException if the file has faults
     */
    public static NodeSettings load(Path file) throws ConfigException {
        return NodeSettings.of(read(file), file.toString());
    }

    /**
     * Checks the text of a file that does not exist yet.
     *
     * @param file the node's configuration file
     * @param text its text
     * @return the configuration
     * @throws ConfigException if the text has faults
     */
    public static NodeSettings of(Path file, String text) throws ConfigException {
        NodeFile reader = new NodeFile(file, Toml.parse(text));
        reader.read();
        return NodeSettings.of(reader.values, file.toString());
    }

    private void read() throws ConfigException {
        for (TomlParseError error : content.errors()) {
            faults.add(place(error.position()) + ": this is no TOML: " + FailureText.of(error));
        }
        if (faults.isEmpty()) {
            readTable(content, List.of());
        }
        if (!faults.isEmpty()) {
            addFaultsOfValues();
            Collections.sort(faults);
            throw new ConfigException(faults);
        }
    }

    /** Adds the faults of the read values. Missing values may be options of the command line. */
    private void addFaultsOfValues() {
        try {
            NodeSettings.of(values, file.toString());
        } catch (ConfigException e) {
            e.faults().stream().filter(fault -> !fault.contains(" is missing")).forEach(faults::add);
        }
    }

    private void readTable(TomlTable table, List<String> above) {
        for (String name : new TreeSet<>(table.keySet())) {
            List<String> path = new ArrayList<>(above);
            path.add(name);
            Object value = table.get(List.of(name));
            String key = String.join(".", path);
            NodeOption option = NodeOption.ofKey(key);
            if (option != null) {
                take(option, value, path);
            } else if (value instanceof TomlTable nested) {
                readTable(nested, path);
            } else {
                faults.add(place(content.inputPositionOf(path)) + ": " + key + ": there is no such key; allowed: "
                    + like(path));
            }
        }
    }

    private void take(NodeOption option, @Nullable Object value, List<String> path) {
        String place = place(content.inputPositionOf(path));
        List<String> texts = texts(option, value);
        if (texts == null) {
            faults.add(place + ": " + option.key() + ": is " + kind(value) + ", not " + kind(option.kind())
                + "; allowed: " + option.allowed());
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        values.put(option, new OptionValue(texts, place, folder == null ? Path.of("/") : folder));
    }

    private static @Nullable List<String> texts(NodeOption option, @Nullable Object value) {
        return switch (option.kind()) {
            case TEXT, PATH, ADDRESS -> value instanceof String text ? List.of(text) : null;
            case NUMBER -> value instanceof Long number ? List.of(number.toString()) : null;
            case SIZE -> value instanceof Long || value instanceof String ? List.of(value.toString()) : null;
            case ADDRESSES, TEXTS -> value instanceof TomlArray array ? texts(array.toList()) : null;
        };
    }

    private static @Nullable List<String> texts(List<Object> values) {
        boolean areTexts = values.stream().allMatch(String.class::isInstance);
        return areTexts ? values.stream().map(Object::toString).toList() : null;
    }

    private static String kind(@Nullable Object value) {
        return switch (value) {
            case String _ -> "a text";
            case Long _ -> "a whole number";
            case Double _ -> "a number with a fraction";
            case Boolean _ -> "true or false";
            case TomlArray _ -> "a list";
            case TomlTable _ -> "a table";
            case null, default -> "a date or time";
        };
    }

    private static String kind(NodeOption.Kind kind) {
        return switch (kind) {
            case TEXT, PATH, ADDRESS -> "a text";
            case NUMBER -> "a whole number";
            case SIZE -> "a whole number or a text such as \"64m\"";
            case ADDRESSES, TEXTS -> "a list of texts";
        };
    }

    /** The keys of the same table, or with the same last part; else all. */
    private static String like(List<String> path) {
        String last = path.getLast();
        List<String> found = Arrays.stream(NodeOption.values()).map(NodeOption::key)
            .filter(key -> key.endsWith("." + last) || key.startsWith(path.getFirst() + ".") && path.size() > 1)
            .toList();
        List<String> shown = found.isEmpty() ? Arrays.stream(NodeOption.values()).map(NodeOption::key).toList() : found;
        return String.join(", ", shown.size() > LIKE_MAX && !found.isEmpty() ? found : shown);
    }

    private String place(@Nullable TomlPosition position) {
        return position == null ? file.toString() : file + ":" + position.line();
    }

    // ---- writing ----

    /**
     * Returns the text of a file with values, grouped by tables, with a comment for each key.
     *
     * @param values texts of values; in lists, a text for each element
     * @return the text
     */
    public static String write(Map<NodeOption, List<String>> values) {
        StringBuilder text = new StringBuilder("# Configuration of a node; \"./teff node --help\" has all keys.\n");
        Map<String, StringBuilder> tables = new LinkedHashMap<>();
        for (Map.Entry<NodeOption, List<String>> entry : new EnumMap<>(values).entrySet()) {
            NodeOption option = entry.getKey();
            String home = option.key().substring(0, option.key().indexOf('.'));
            tables.computeIfAbsent(home, name -> new StringBuilder("\n[" + name + "]\n"))
                .append(option.key().substring(home.length() + 1)).append(" = ")
                .append(literal(option, entry.getValue())).append('\n');
        }
        tables.values().forEach(text::append);
        return text.toString();
    }

    private static String literal(NodeOption option, List<String> texts) {
        return switch (option.kind()) {
            case NUMBER -> texts.getFirst();
            case TEXT, PATH, ADDRESS, SIZE -> quoted(texts.getFirst());
            case ADDRESSES, TEXTS -> texts.stream().map(NodeFile::quoted).toList().toString();
        };
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
