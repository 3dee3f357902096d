package io.teff.engine.index;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a catalogue of indexes, in one chunk.
 * <pre>
 *  0           4             8               12
 *  +-----------+-------------+---------------+--------------------------------------------------------------+
 *  | magic (4) | version (4) | count n (4)   | n times: name, fields, flags (1), CID of the tree's root (8) |
 *  +-----------+-------------+---------------+--------------------------------------------------------------+
 *    name, fields   strings of the codecs; fields: "city:string?,age:int", ? marks a field that may be null
 *    flags          bit 0: unique; bit 1: ready. The other bits are zero
 * </pre>
 */
final class CatalogueLayout {
    private static final int MAGIC = 0x58_44_49_54;             // "TIDX"
    private static final int VERSION = 1;
    private static final int UNIQUE = 1;
    private static final int READY = 2;
    private static final int BYTES_FIRST = 256;

    private CatalogueLayout() {}

    static byte[] write(List<ListedIndex> indexes) {
        Output out = Output.growing(BYTES_FIRST);
        out.putInt(MAGIC);
        out.putInt(VERSION);
        out.putInt(indexes.size());
        for (ListedIndex index : indexes) {
            out.putString(index.name());
            out.putString(index.fields());
            out.putByte((byte) ((index.isUnique() ? UNIQUE : 0) | (index.isReady() ? READY : 0)));
            out.putLong(index.root());
        }
        return out.toByteArray();
    }

    static List<ListedIndex> read(byte[] bytes) {
        Input in = new Input(bytes, 0, bytes.length);
        if (in.getInt() != MAGIC || in.getInt() != VERSION) {
            throw new MalformedException(in.offset(), "no catalogue of indexes of version " + VERSION, null);
        }
        int count = in.getInt();
        List<ListedIndex> indexes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = in.getString();
            String fields = in.getString();
            int flags = in.getByte();
            if ((flags & ~(UNIQUE | READY)) != 0) {
                throw in.malformed("flags " + flags + " of an index");
            }
            indexes.add(new ListedIndex(name, fields, (flags & UNIQUE) != 0, (flags & READY) != 0, in.getLong()));
        }
        return indexes;
    }
}
