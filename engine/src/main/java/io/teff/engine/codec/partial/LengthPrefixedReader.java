package io.teff.engine.codec.partial;

import io.teff.engine.codec.type.CustomCodec;
import io.teff.engine.codec.type.PrimitiveArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An incomplete value that consists of a LEB128 header, which determines a number of bytes, and these bytes. */
abstract class LengthPrefixedReader extends TypeReader {
    private static final int CAPACITY_MIN = 64;

    private boolean headerRead;
    private byte[] bytes = new byte[CAPACITY_MIN];
    private int count;
    private int needed;
    private @Nullable Object result;

    LengthPrefixedReader(ReadContext context) {
        super(context);
    }

    /** Returns the bytes that follow a header, after checking it. */
    abstract int needed(long header);

    /** Makes the value of its bytes. */
    abstract Object make(byte[] all, int length);

    @Override
    Step step() {
        if (!headerRead) {
            if (!context.source.collectVar()) {
                return Step.STARVED;
            }
            needed = needed(context.in.getVar());
            headerRead = true;
        }
        int available = Math.min(needed - count, context.source.left());
        if (count + available > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(needed, Math.max(count + available, bytes.length * 2L)));
        }
        context.source.take(bytes, count, available);
        count += available;
        if (count < needed) {
            return Step.STARVED;
        }
        result = make(bytes, count);
        return Step.DONE;
    }

    @Override
    final @Nullable Object result() {
        return result;
    }

    /** An incomplete string. */
    static final class OfString extends LengthPrefixedReader {
        private boolean wide;

        OfString(ReadContext context) {
            super(context);
        }

        @Override
        int needed(long header) {
            wide = (header & 1) != 0;
            int length = context.source.checkCount(header >>> 1, wide ? Character.BYTES : 1);
            return wide ? length * Character.BYTES : length;
        }

        @Override
        Object make(byte[] all, int length) {
            if (!wide) {
                return new String(all, 0, length, StandardCharsets.ISO_8859_1);
            }
            context.in.reset(all, 0, length);
            return context.in.getWide(length / Character.BYTES);
        }
    }

    /** An incomplete array of primitive values. */
    static final class OfArray extends LengthPrefixedReader {
        private final PrimitiveArrayCodec codec;

        OfArray(ReadContext context, PrimitiveArrayCodec codec) {
            super(context);
            this.codec = codec;
        }

        @Override
        int needed(long header) {
            return context.source.checkCount(header, codec.scalar().bytes()) * codec.scalar().bytes();
        }

        @Override
        Object make(byte[] all, int length) {
            context.in.reset(all, 0, length);
            return codec.read(length / codec.scalar().bytes(), context.in);
        }
    }

    /** An incomplete value of a hand-written codec, which reads it when all bytes have arrived. */
    static final class OfCustom extends LengthPrefixedReader {
        private final CustomCodec codec;

        OfCustom(ReadContext context, CustomCodec codec) {
            super(context);
            this.codec = codec;
        }

        @Override
        int needed(long header) {
            return context.source.checkCount(header, 1);
        }

        @Override
        Object make(byte[] all, int length) {
            context.in.reset(all, 0, length);
            context.in.emptyElements(context.source.emptyElements());
            Object value = codec.read(length, context.in);
            context.source.emptyElements(context.in.emptyElements());
            return value;
        }
    }
}
