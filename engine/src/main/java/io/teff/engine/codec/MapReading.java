package io.teff.engine.codec;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A map under way, entry by entry. */
final class MapReading extends Reading {
    private final MapPart part;
    private @Nullable Map<@Nullable Object, @Nullable Object> map;
    private int left;
    private int nulls;
    private boolean hasKey;
    private boolean underWay;
    private @Nullable Object key;

    MapReading(ReadStack stack, MapPart part) {
        super(stack);
        this.part = part;
    }

    @Override
    Step step() {
        Map<@Nullable Object, @Nullable Object> known = map;
        if (known == null) {
            if (!stack.pieces.collectVar()) {
                return Step.STARVED;
            }
            left = stack.pieces.checkCount(stack.in.getVar(), 1);
            known = part.make(0);
            map = known;
        }
        if (!underWay) {
            if (left == 0) {
                return Step.DONE;
            }
            if (!stack.pieces.collect(1)) {
                return Step.STARVED;
            }
            nulls = stack.in.getByte();
            Bytes.requireClear(nulls, ~(MapPart.NULL_KEY | MapPart.NULL_VALUE), stack.in);
            underWay = true;
            hasKey = (nulls & MapPart.NULL_KEY) != 0;
            key = null;
        }
        if (!hasKey) {
            stack.start(part.key());
        } else if ((nulls & MapPart.NULL_VALUE) == 0) {
            stack.start(part.value());
        } else {
            put(null);
        }
        return Step.MORE;
    }

    @Override
    void accept(@Nullable Object inner) {
        if (!hasKey) {
            key = inner;
            hasKey = true;
        } else {
            put(inner);
        }
    }

    private void put(@Nullable Object entryValue) {
        Map<@Nullable Object, @Nullable Object> known = Objects.requireNonNull(map);
        int before = known.size();
        known.put(key, entryValue);
        if (known.size() == before) {
            throw stack.in.malformed("a key that is there already");
        }
        underWay = false;
        left--;
    }

    @Override
    @Nullable Object result() {
        return map;
    }
}
