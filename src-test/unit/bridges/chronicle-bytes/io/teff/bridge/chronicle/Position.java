package io.teff.bridge.chronicle;

import net.openhft.chronicle.bytes.BytesMarshallable;

/** An object whose fields Chronicle writes by itself. */
final class Position implements BytesMarshallable {
    private String symbol;
    private long quantity;
    private double price;
    private transient int readings;

    Position() {}

    Position(String symbol, long quantity, double price) {
        this.symbol = symbol;
        this.quantity = quantity;
        this.price = price;
    }

    String symbol() {
        return symbol;
    }

    long quantity() {
        return quantity;
    }

    double price() {
        return price;
    }

    int readings() {
        return ++readings;
    }
}
