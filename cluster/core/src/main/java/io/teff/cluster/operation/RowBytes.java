package io.teff.cluster.operation;

import io.teff.cluster.meta.ZoneRow;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Schema;

/** Rows of zones as bytes, by the codec that the tables are sent with. */
final class RowBytes {
    private static final Schema<ZoneRow> ROWS = Schema.of(ZoneRow.class);
    private static final int BYTES_MIN = 128;

    private RowBytes() {}

    static byte[] of(ZoneRow row) {
        final Output out = Output.growing(BYTES_MIN);
        ROWS.write(row, out);
        return out.toByteArray();
    }

    /**
     * Reads a row.
     *
     * @throws MalformedException if the bytes are none
     */
    static ZoneRow read(byte[] bytes, int from, int length) {
        final Input in = new Input(bytes, from, length);
        final ZoneRow row = ROWS.read(in);
        if (in.left() > 0) {
            throw in.malformed("a row that leaves " + in.left() + " bytes");
        }
        return row;
    }
}
