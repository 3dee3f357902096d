package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.BitSet;
import org.junit.jupiter.api.Tag;

/** Goal and method of {@link MapTorture}, applied to hash maps. */
@Tag("modes")
@Tag("heavy")
final class ChunkMapTortureTest extends MapTorture<ChunkLongMap<byte[]>> {
    @Override
    ChunkLongMap<byte[]> open(Store from) {
        return from.longMap("torture", Codecs.BYTES);
    }

    @Override
    boolean read(long key, ReadScope scope) {
        return map.read(key, scope);
    }

    @Override
    boolean update(long key, EditScope scope) {
        return map.update(key, scope);
    }

    @Override
    void walk() {
        BitSet seen = new BitSet();
        map.forEachEntry((key, value) -> {
            if (key < 0) {
                assertFalse(seen.get((int) (-1 - key)), "twice: " + key);
                seen.set((int) (-1 - key));
            }
            checkWhole(key, value);
        });
        assertEquals(STABLE, seen.cardinality(), "a walk missed some");
    }
}
