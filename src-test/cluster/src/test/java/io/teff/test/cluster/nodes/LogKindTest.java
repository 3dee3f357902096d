package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.terminal.node.LogKind;
import org.junit.jupiter.api.Test;

/** The lines that commands write to logs of nodes, or search for, have the names of the nodes' own events. */
final class LogKindTest {
    @Test
    void kinds_haveTheNamesOfEvents() {
        for (LogKind kind : LogKind.values()) {
            assertEquals(NodeEvent.valueOf(kind.name()).text(), kind.text());
        }
    }
}
