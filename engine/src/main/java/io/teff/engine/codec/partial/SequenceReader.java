package io.teff.engine.codec.partial;

import io.teff.engine.codec.type.SequenceCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An incomplete array or collection. */
final class SequenceReader<C> extends TypeReader {
    private final SequenceCodec<C> codec;
    private final List<@Nullable Object> elements = new ArrayList<>();
    private byte[] nullBits = new byte[0];
    private int nullBytes = -1;
    private int nullBytesRead;
    private int count = -1;

    SequenceReader(ReadContext context, SequenceCodec<C> codec) {
        super(context);
        this.codec = codec;
    }

    @Override
    Step step() {
        if (count < 0 && !readHeader() || nullBytesRead < nullBytes && !readNullBits()) {
            return Step.STARVED;
        }
        int nullElementBytes = codec.element().isFixed() ? codec.element().fixedBytes() : 0;
        while (elements.size() < count) {
            if (!isNull(elements.size())) {
                context.start(codec.element());
                return Step.MORE;
            }
            if (!context.source.collect(nullElementBytes)) {
                return Step.STARVED;
            }
            elements.add(null);
        }
        return Step.DONE;
    }

    private boolean readHeader() {
        if (!context.source.collectVar()) {
            return false;
        }
        long header = context.in.getVar();
        boolean hasNulls = (header & 1) != 0;
        boolean onlyBits = hasNulls && !codec.element().isFixed();
        count = onlyBits ? context.source.checkBits(header >>> 1)
            : context.source.checkCount(header >>> 1, codec.element().bytesMin());
        nullBytes = hasNulls ? (count + Byte.SIZE - 1) / Byte.SIZE : 0;
        return true;
    }

    private boolean readNullBits() {
        int available = Math.min(nullBytes - nullBytesRead, context.source.left());
        if (nullBytesRead + available > nullBits.length) {
            nullBits = Arrays.copyOf(nullBits, Math.max(nullBytesRead + available, nullBits.length * 2));
        }
        context.source.take(nullBits, nullBytesRead, available);
        nullBytesRead += available;
        return nullBytesRead == nullBytes;
    }

    private boolean isNull(int index) {
        return nullBytes > 0 && (nullBits[index / Byte.SIZE] & 1 << index % Byte.SIZE) != 0;
    }

    @Override
    void accept(@Nullable Object nested) {
        elements.add(nested);
    }

    @Override
    Object result() {
        C made = codec.make(count);
        for (int i = 0; i < count; i++) {
            if (!codec.add(made, i, elements.get(i))) {
                throw context.in.malformed(SequenceCodec.DUPLICATE);
            }
        }
        return Objects.requireNonNull(made);
    }
}
