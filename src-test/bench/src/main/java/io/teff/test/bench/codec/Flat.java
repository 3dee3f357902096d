package io.teff.test.bench.codec;

import io.teff.engine.codec.Creator;
import java.io.Serializable;
import java.util.Objects;

/** An object of five numbers, 36 bytes. */
public final class Flat implements Serializable {
    private static final long serialVersionUID = 1;

    private long id;
    private int kind;
    private long price;
    private long time;
    private long check;

    /** For libraries that fill in fields. */
    public Flat() {}

    /**
     * Makes one.
     *
     * @param id any
     * @param kind small
     * @param price below a million
     * @param time milliseconds since 1970
     * @param check any
     */
    @Creator({"id", "kind", "price", "time", "check"})
    public Flat(long id, int kind, long price, long time, long check) {
        this.id = id;
        this.kind = kind;
        this.price = price;
        this.time = time;
        this.check = check;
    }

    long id() {
        return id;
    }

    int kind() {
        return kind;
    }

    long price() {
        return price;
    }

    long time() {
        return time;
    }

    long check() {
        return check;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Flat that && id == that.id && kind == that.kind && price == that.price
            && time == that.time && check == that.check;
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, kind, price, time, check);
    }
}
