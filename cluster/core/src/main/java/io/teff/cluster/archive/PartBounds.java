package io.teff.cluster.archive;

import io.teff.engine.Cid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The bounds of the parts of all sorted maps at a moment. A text has a line for each part: the root in hexadecimal
 * digits, and the state of the part.
 *
 * @param states a text for the state of each part, by the root of the part
 */
public record PartBounds(Map<Long, String> states) {
    /** No part. */
    public static final PartBounds NONE = new PartBounds(Map.of());
    /** State of a map with one part that was never split. */
    public static final String WHOLE = "whole";

    private static final int HEX = 16;

    /** Copies the map. */
    public PartBounds {
        states = Map.copyOf(states);
    }

    /** Reads the bounds of a text. */
    static PartBounds read(byte[] text) throws IOException {
        final Map<Long, String> states = new TreeMap<>();
        for (String line : new String(text, StandardCharsets.UTF_8).lines().toList()) {
            final int space = line.indexOf(' ');
            try {
                states.put(Long.parseUnsignedLong(line, 0, Math.max(space, 0), HEX), line.substring(space + 1));
            } catch (NumberFormatException e) {
                throw new IOException("the bounds of parts are damaged: " + line, e);
            }
        }
        return new PartBounds(states);
    }

    /** Returns the text. */
    byte[] bytes() {
        final StringBuilder text = new StringBuilder();
        new TreeMap<>(states).forEach((root, state) -> text.append(Long.toHexString(root)).append(' ').append(state)
            .append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the zones with a part whose bounds have changed. A new map that was never split has no bounds, so its
     * zone is not among them; nor is the zone of a part that was dropped.
     *
     * @param before earlier bounds
     * @return numbers of zones
     */
    public Set<Integer> changedSince(PartBounds before) {
        final Set<Integer> zones = new TreeSet<>();
        states.forEach((root, state) -> {
            if (!state.equals(before.states.getOrDefault(root, WHOLE))) {
                zones.add(Cid.nid(root));
            }
        });
        return zones;
    }
}
