package io.teff.test.bench.kill;

import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of one kill, as a line of a table. */
interface Steps {
    /** Returns the name of the node that was killed. */
    String node();

    /** Returns the figures by the titles of their columns. */
    Map<String, Object> figures();

    /** Returns the number of updates that were acknowledged meanwhile. */
    long updates();

    /** Returns the number of chunks that differed. */
    long wrong();

    /** Returns everything, for JSON. */
    default Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", node());
        fields.putAll(figures());
        fields.put("updates", updates());
        fields.put("wrong", wrong());
        return fields;
    }
}
