package io.teff.engine.codec.partial;

import io.teff.engine.codec.type.MapCodec;
import io.teff.engine.codec.type.NullBits;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An incomplete map; it is read entry by entry. */
final class MapReader extends TypeReader {
    private final MapCodec codec;
    private @Nullable Map<@Nullable Object, @Nullable Object> map;
    private int entriesLeft;
    private int nulls;
    private boolean keyRead;
    private boolean entryBegun;
    private @Nullable Object key;

    MapReader(ReadContext context, MapCodec codec) {
        super(context);
        this.codec = codec;
    }

    @Override
    Step step() {
        if (map == null) {
            if (!context.source.collectVar()) {
                return Step.STARVED;
            }
            entriesLeft = context.source.checkCount(context.in.getVar(), 1);
            map = codec.make(0);
        }
        if (!entryBegun) {
            if (entriesLeft == 0) {
                return Step.DONE;
            }
            if (!context.source.collect(1)) {
                return Step.STARVED;
            }
            nulls = context.in.getByte();
            NullBits.requireClear(nulls, ~(MapCodec.NULL_KEY | MapCodec.NULL_VALUE), context.in);
            entryBegun = true;
            keyRead = (nulls & MapCodec.NULL_KEY) != 0;
            key = null;
        }
        if (!keyRead) {
            context.start(codec.key());
        } else if ((nulls & MapCodec.NULL_VALUE) == 0) {
            context.start(codec.value());
        } else {
            put(null);
        }
        return Step.MORE;
    }

    @Override
    void accept(@Nullable Object nested) {
        if (!keyRead) {
            key = nested;
            keyRead = true;
        } else {
            put(nested);
        }
    }

    private void put(@Nullable Object value) {
        Map<@Nullable Object, @Nullable Object> known = Objects.requireNonNull(map);
        int before = known.size();
        known.put(key, value);
        if (known.size() == before) {
            throw context.in.malformed(MapCodec.DUPLICATE);
        }
        entryBegun = false;
        entriesLeft--;
    }

    @Override
    @Nullable Object result() {
        return map;
    }
}
