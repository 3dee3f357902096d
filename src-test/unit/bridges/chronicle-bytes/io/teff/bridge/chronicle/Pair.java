package io.teff.bridge.chronicle;

import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesMarshallable;
import net.openhft.chronicle.bytes.BytesOut;

/** An object that says itself what its bytes are. */
final class Pair implements BytesMarshallable {
    private long number;
    private String text;

    Pair() {}

    Pair(long number, String text) {
        this.number = number;
        this.text = text;
    }

    @Override
    public void readMarshallable(BytesIn<?> in) {
        number = in.readStopBit();
        text = in.readUtf8();
    }

    @Override
    public void writeMarshallable(BytesOut<?> out) {
        out.writeStopBit(number);
        out.writeUtf8(text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pair pair && pair.number == number && pair.text.equals(text);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number) * 31 + text.hashCode();
    }
}
