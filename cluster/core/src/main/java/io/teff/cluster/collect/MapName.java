package io.teff.cluster.collect;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;

/**
 * A map of a zone, as a request to open or make the map names it.
 *
 * @param name name in the zone
 * @param keys description of the codec of the keys
 * @param values description of the codec of the values
 * @param keyBytes length of each key, or -1 if the length varies
 */
public record MapName(String name, String keys, String values, int keyBytes) {
    /** Most bytes of a name in its encoded form. */
    public static final int BYTES_MAX = 1 << 16;

    /** Its codec. */
    public static final Codec<MapName> CODEC = new Codec<>() {
        private static final long FINGERPRINT = 0x4D41_504E_0000_0001L;

        @Override
        public void write(MapName name, Output out) {
            out.putString(name.name);
            out.putString(name.keys);
            out.putString(name.values);
            out.putInt(name.keyBytes);
        }

        @Override
        public MapName read(Input in) {
            final MapName name = new MapName(in.getString(), in.getString(), in.getString(), in.getInt());
            if (name.name.isEmpty() || name.keyBytes < -1 || in.left() > 0) {
                throw new MalformedException(in.offset(), "no name of a map", null);
            }
            return name;
        }

        @Override
        public long fingerprint() {
            return FINGERPRINT;
        }
    };
}
