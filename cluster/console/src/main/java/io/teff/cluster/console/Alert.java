package io.teff.cluster.console;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Something that a person should know.
 *
 * @param kind what it is about
 * @param isUrgent whether data or service is in danger now
 * @param nid the node, or 0
 * @param zone the zone, or 0
 * @param text for people, in one sentence
 */
record Alert(Kind kind, boolean isUrgent, int nid, int zone, String text) {
    /** Subject of an alert. */
    enum Kind {
        /** No superpeer answers. */
        SILENT,
        /** A node counts and does not answer. */
        NODE,
        /** A node reports a problem. */
        PROBLEM,
        /** A zone is lost. */
        LOST,
        /** A zone, or its changes, wait for copies. */
        WAITING,
        /** A zone has too few backups. */
        UNDER,
        /** Two copies of a zone share a rack. */
        RACK,
        /** Numbers of zones run out. */
        ZONES,
        /** A zone is not served. */
        MOVING,
        /** A lease is near its end. */
        LEASE,
        /** A disk fills. */
        DISK,
        /** A memory fills. */
        MEMORY,
        /** Clocks differ. */
        CLOCK,
        /** A certificate is near its end. */
        CERTIFICATE;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", kind.text());
        json.put("urgent", isUrgent);
        json.put("nid", nid);
        json.put("zone", zone);
        json.put("text", text);
        return json;
    }
}
