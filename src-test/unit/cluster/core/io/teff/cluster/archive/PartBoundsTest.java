package io.teff.cluster.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.Cid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartBoundsTest {
    private static final long FIRST = Cid.of(3, 10);
    private static final long SECOND = Cid.of(40_000, 11);

    @Test
    void text_hasEachPart() throws IOException {
        PartBounds bounds = new PartBounds(Map.of(FIRST, PartBounds.WHOLE, SECOND, "0a0b"));
        assertEquals(bounds, PartBounds.read(bounds.bytes()));
        assertEquals(PartBounds.NONE, PartBounds.read(PartBounds.NONE.bytes()));
        assertThrows(IOException.class, () -> PartBounds.read("no root".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void changedSince_namesTheZonesOfNewAndOtherBounds() {
        PartBounds before = new PartBounds(Map.of(FIRST, "01", SECOND, "02"));
        assertEquals(Set.of(), before.changedSince(before));
        assertEquals(Set.of(3, 40_000), before.changedSince(PartBounds.NONE));
        assertEquals(Set.of(40_000), new PartBounds(Map.of(FIRST, "01", SECOND, "03")).changedSince(before));
        assertEquals(Set.of(), new PartBounds(Map.of(FIRST, "01")).changedSince(before), "the second one was dropped");
    }

    @Test
    void changedSince_newMapThatWasNeverSplit_hasNoBounds() {
        assertEquals(Set.of(), new PartBounds(Map.of(FIRST, PartBounds.WHOLE)).changedSince(PartBounds.NONE));
        assertEquals(Set.of(3), new PartBounds(Map.of(FIRST, "01")).changedSince(
            new PartBounds(Map.of(FIRST, PartBounds.WHOLE))), "the first split");
    }
}
