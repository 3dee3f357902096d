package io.teff.engine.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An array or a collection under way. */
final class ElementsReading<C> extends Reading {
    private final ElementsPart<C> part;
    private final List<@Nullable Object> elements = new ArrayList<>();
    private byte[] nullBits = new byte[0];
    private int nullBytes = -1;
    private int nullBytesRead;
    private int count = -1;

    ElementsReading(ReadStack stack, ElementsPart<C> part) {
        super(stack);
        this.part = part;
    }

    @Override
    Step step() {
        if (count < 0 && !header() || nullBytesRead < nullBytes && !nullBits()) {
            return Step.STARVED;
        }
        int bytes = part.element().isFixed() ? part.element().fixedBytes() : 0;
        while (elements.size() < count) {
            if (!isNull(elements.size())) {
                stack.start(part.element());
                return Step.MORE;
            }
            if (!stack.pieces.collect(bytes)) {
                return Step.STARVED;
            }
            elements.add(null);
        }
        return Step.DONE;
    }

    private boolean header() {
        if (!stack.pieces.collectVar()) {
            return false;
        }
        long header = stack.in.getVar();
        boolean nulls = (header & 1) != 0;
        boolean byBits = nulls && !part.element().isFixed();
        count = byBits ? stack.pieces.checkBits(header >>> 1)
            : stack.pieces.checkCount(header >>> 1, part.element().bytesMin());
        nullBytes = nulls ? (count + Byte.SIZE - 1) / Byte.SIZE : 0;
        return true;
    }

    private boolean nullBits() {
        int piece = Math.min(nullBytes - nullBytesRead, stack.pieces.left());
        if (nullBytesRead + piece > nullBits.length) {
            nullBits = Arrays.copyOf(nullBits, Math.max(nullBytesRead + piece, nullBits.length * 2));
        }
        stack.pieces.take(nullBits, nullBytesRead, piece);
        nullBytesRead += piece;
        return nullBytesRead == nullBytes;
    }

    private boolean isNull(int index) {
        return nullBytes > 0 && (nullBits[index / Byte.SIZE] & 1 << index % Byte.SIZE) != 0;
    }

    @Override
    void accept(@Nullable Object inner) {
        elements.add(inner);
    }

    @Override
    Object result() {
        C made = part.make(count);
        for (int i = 0; i < count; i++) {
            if (!part.add(made, i, elements.get(i))) {
                throw stack.in.malformed("an element that is there already");
            }
        }
        return Objects.requireNonNull(made);
    }
}
