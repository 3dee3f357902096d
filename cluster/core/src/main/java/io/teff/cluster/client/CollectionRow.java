package io.teff.cluster.client;

import io.teff.cluster.collect.CollectionName;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.operation.FormTrailer;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.os.FailureText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A collection as the directory of a cluster has it. While the collection exists, the row gets new forms, and the row
 * of a sorted map gets more parts. Nothing else changes.
 *
 * @param kind kind of the collection
 * @param keys description of the codec of keys or elements
 * @param values description of the codec of values; empty if there are none
 * @param order name of the order of a sorted map; else empty
 * @param keyBytes length of each key, or -1 if the length varies
 * @param seed random number with which keys are spread over the partitions
 * @param token random number in the names of the partitions, so that no later collection has partitions of these names
 * @param zones zone of each partition
 * @param isDropped whether the collection is being dropped: then the row is marked
 * @param parts the part in each zone, of a sorted map with several parts; else empty
 * @param laterForms descriptions of the values of a map, or of the elements of a queue or list, that other versions of
 *     a program write; see {@link FormCodec}
 */
record CollectionRow(NamedRoot.Kind kind, String keys, String values, String order, int keyBytes, long seed,
                     long token, int[] zones, boolean isDropped, List<PartRow> parts, List<String> laterForms) {
    /** Description of this encoding. */
    static final String DESCRIPTION = "collections of a cluster 1";

    private static final int VERSION = 1;
    /** Version of a row with parts. */
    private static final int VERSION_OF_PARTS = 2;
    /** Version of a row with later forms. */
    private static final int VERSION_OF_FORMS = 3;
    /** Version of a row with parts and later forms. */
    private static final int VERSION_OF_BOTH = 4;
    /** Most chars of the descriptions of a row, which is an entry of a map. */
    private static final int FORM_CHARS_MAX = 256 << 10;
    private static final long MARK_SALT = 0x9E37_79B9_7F4A_7C15L;
    private static final int MARK_SHIFT = 29;
    /** Added to the kind of a row that is marked. */
    private static final int DROPPED = 0x80;
    private static final NamedRoot.Kind[] KINDS = NamedRoot.Kind.values();

    /** Its codec. */
    static final Codec<CollectionRow> CODEC = new Codec<>() {
        private static final long FINGERPRINT = 0x434F_4C4C_0000_0001L;

        @Override
        public void write(CollectionRow row, Output out) {
            out.putByte((byte) row.version());
            out.putByte((byte) (row.kind.ordinal() | (row.isDropped ? DROPPED : 0)));
            out.putString(row.keys);
            out.putString(row.values);
            out.putString(row.order);
            out.putInt(row.keyBytes);
            out.putLong(row.seed);
            out.putLong(row.token);
            out.putInt(row.zones.length);
            for (int zone : row.zones) {
                out.putInt(zone);
            }
            row.parts.forEach(part -> PartRow.write(part, out));
            if (!row.laterForms.isEmpty()) {
                out.putInt(row.laterForms.size());
                row.laterForms.forEach(out::putString);
            }
        }

        @Override
        public CollectionRow read(Input in) {
            final int version = in.getByte();
            final int marked = in.getByte() & 0xFF;
            final int kind = marked & ~DROPPED;
            if (version < VERSION || version > VERSION_OF_BOTH || kind >= KINDS.length) {
                throw new MalformedException(in.offset(), "a collection of version " + version + " and kind " + kind,
                    null);
            }
            final String keys = in.getString();
            final String values = in.getString();
            final String order = in.getString();
            final int keyBytes = in.getInt();
            final long seed = in.getLong();
            final long token = in.getLong();
            final int count = in.getInt();
            if (count < 1 || count > in.left() / Integer.BYTES) {
                throw new MalformedException(in.offset(), "a collection of " + count + " partitions", null);
            }
            final int[] zones = new int[count];
            for (int i = 0; i < count; i++) {
                zones[i] = in.getInt();
            }
            final List<PartRow> parts = new ArrayList<>();
            for (int i = 0; hasParts(version) && i < count; i++) {
                parts.add(PartRow.read(in));
            }
            return new CollectionRow(KINDS[kind], keys, values, order, keyBytes, seed, token, zones,
                marked != kind, List.copyOf(parts), hasForms(version) ? forms(in) : List.of());
        }

        private static List<String> forms(Input in) {
            final int count = in.getInt();
            if (count < 1 || count >= FormTrailer.FORMS_MAX) {
                throw new MalformedException(in.offset(), "a collection of " + count + " later forms", null);
            }
            final List<String> forms = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                forms.add(in.getString());
            }
            return List.copyOf(forms);
        }

        @Override
        public long fingerprint() {
            return FINGERPRINT;
        }

        @Override
        public String describe() {
            return DESCRIPTION;
        }
    };

    private int version() {
        if (parts.isEmpty()) {
            return laterForms.isEmpty() ? VERSION : VERSION_OF_FORMS;
        }
        return laterForms.isEmpty() ? VERSION_OF_PARTS : VERSION_OF_BOTH;
    }

    private static boolean hasParts(int version) {
        return version == VERSION_OF_PARTS || version == VERSION_OF_BOTH;
    }

    private static boolean hasForms(int version) {
        return version == VERSION_OF_FORMS || version == VERSION_OF_BOTH;
    }

    /** A row without a mark. */
    CollectionRow(NamedRoot.Kind kind, String keys, String values, String order, int keyBytes, long seed, long token,
                  int[] zones) {
        this(kind, keys, values, order, keyBytes, seed, token, zones, false, List.of(), List.of());
    }

    /** Returns the row of a single chunk with a name. */
    static CollectionRow ofChunk(long cid) {
        return new CollectionRow(NamedRoot.Kind.CHUNK, "", "", "", -1, 0, cid, new int[] {Cid.nid(cid)});
    }

    /** Returns this row with the mark that the collection is being dropped. */
    CollectionRow marked() {
        return new CollectionRow(kind, keys, values, order, keyBytes, seed, token, zones, true, parts, laterForms);
    }

    // ---- parts ----

    /** Returns the index of the target of an unfinished split of a part, or -1. */
    int targetOf(long parent) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).parent() == parent) {
                return i;
            }
        }
        return -1;
    }

    /** Returns this row with one part more, the target of a split. */
    CollectionRow withTarget(int zone, long parent) {
        final int[] all = Arrays.copyOf(zones, zones.length + 1);
        all[zones.length] = zone;
        final List<PartRow> next = new ArrayList<>(parts.isEmpty() ? List.of(PartRow.FIRST) : parts);
        next.add(new PartRow(null, parent));
        return new CollectionRow(kind, keys, values, order, keyBytes, seed, token, all, isDropped, next, laterForms);
    }

    /** Returns this row with the bound of a target, whose split has ended. */
    CollectionRow withBound(int index, byte[] low) {
        final List<PartRow> next = new ArrayList<>(parts);
        next.set(index, new PartRow(low, 0));
        return new CollectionRow(kind, keys, values, order, keyBytes, seed, token, zones, isDropped, next, laterForms);
    }

    /** Returns what a program sees of the row. */
    NamedRoot shown() {
        return new NamedRoot(kind, kind == NamedRoot.Kind.CHUNK ? token : Cid.NONE, keys, values, order);
    }

    /** Returns the name of a partition in the zone of the partition. */
    MapName partition(String name, int index) {
        return new MapName(name + ' ' + Long.toHexString(token) + '/' + index, keys, values, keyBytes);
    }

    private static String describe(String named) {
        return named.isEmpty() ? "the order of the keys' bytes" : "the order '" + named + "'";
    }

    /** Returns the name of a queue, list or sorted map in its zone. */
    CollectionName collection(String name) {
        return collection(name, 0);
    }

    /** Returns the name of a part of a sorted map in its zone. */
    CollectionName collection(String name, int index) {
        return new CollectionName(kind, partition(name, index).name(), keys, values, order);
    }

    // ---- forms ----

    /** Returns whether what is in the collection, beside keys, can have several forms. */
    boolean hasForms() {
        return kind != NamedRoot.Kind.SET && kind != NamedRoot.Kind.CHUNK;
    }

    private static boolean hasElements(NamedRoot.Kind kind) {
        return kind == NamedRoot.Kind.QUEUE || kind == NamedRoot.Kind.LIST;
    }

    /** Returns the descriptions of all forms; the form of the creator is the first one. */
    List<String> forms() {
        final List<String> forms = new ArrayList<>();
        forms.add(hasElements(kind) ? keys : values);
        forms.addAll(laterForms);
        return forms;
    }

    /** Returns the number of the form with the bytes of a codec; -1 if there is none. */
    int formOf(Codec<?> codec) {
        final List<String> forms = forms();
        int form = forms.indexOf(codec.describe());
        for (int i = forms.size() - 1; i >= 0 && form < 0; i--) {
            form = codec.hasBytesOf(forms.get(i)) ? i : -1;
        }
        return form;
    }

    /** Returns the number behind the values of later forms. */
    long mark() {
        return Long.rotateLeft((seed ^ MARK_SALT) * MARK_SALT, MARK_SHIFT) ^ token * MARK_SALT;
    }

    /** Returns this row with the form of a codec in addition. Throws if a program of another form could not read it. */
    private CollectionRow withForm(String name, Schema<?> codec) {
        for (String form : forms()) {
            try {
                codec.requireBeside(form);
            } catch (SchemaException e) {
                throw refusal(name, form, codec, FailureText.of(e), e);
            }
        }
        final List<String> later = new ArrayList<>(laterForms);
        later.add(codec.describe());
        if (later.size() >= FormTrailer.FORMS_MAX
            || later.stream().mapToLong(String::length).sum() > FORM_CHARS_MAX) {
            throw refusal(name, forms().getLast(), codec, "the collection has " + forms().size() + " forms, of at most "
                + FormTrailer.FORMS_MAX + " forms and " + FORM_CHARS_MAX + " chars", null);
        }
        return new CollectionRow(kind, keys, values, order, keyBytes, seed, token, zones, isDropped, parts,
            List.copyOf(later));
    }

    private static IllegalArgumentException refusal(String name, String form, Codec<?> codec, String reason,
                                                    @Nullable Throwable cause) {
        final String own = codec.describe();
        return new IllegalArgumentException("the collection " + name + " has values of "
            + FailureText.excerpt(form, own) + ", and cannot have values of " + FailureText.excerpt(own, form)
            + " beside: " + reason, cause);
    }

    /**
     * Returns this row, with a further form if the codecs need a further form. Throws if a collection with codecs that
     * do not fit, of another kind or in another order has the name.
     */
    CollectionRow fitting(String name, NamedRoot.Kind wanted, Codec<?> wantedKeys, Codec<?> wantedValues,
                          String wantedOrder) {
        final Codec<?> evolving = hasElements(wanted) ? wantedKeys : wantedValues;
        if (kind == wanted && order.equals(wantedOrder) && hasForms() && formOf(evolving) >= 0
            && (hasElements(kind) || hasKeysOf(wantedKeys))) {
            return this;
        }
        if (kind == wanted && order.equals(wantedOrder) && hasForms() && evolving instanceof Schema<?> schema
            && (hasElements(kind) || hasKeysOf(wantedKeys))) {
            return withForm(name, schema);
        }
        requireFits(name, wanted, wantedKeys, wantedValues, wantedOrder);
        return this;
    }

    private boolean hasKeysOf(Codec<?> wanted) {
        return wanted.hasBytesOf(keys) && keyBytes == wanted.fixedBytes();
    }

    /** Throws if a collection with codecs of other bytes, of another kind or in another order has the name. */
    private void requireFits(String name, NamedRoot.Kind wanted, Codec<?> wantedKeys, Codec<?> wantedValues,
                             String wantedOrder) {
        if (kind == wanted && !order.equals(wantedOrder)) {
            throw new IllegalArgumentException("the sorted map " + name + " has " + describe(order)
                + ", so it cannot be opened with " + describe(wantedOrder));
        }
        if (kind != wanted || !hasKeysOf(wantedKeys) || !wantedValues.hasBytesOf(values)) {
            throw new IllegalArgumentException("the name " + name + " belongs to a " + kind + " of "
                + FailureText.excerpt(keys, wantedKeys.describe()) + " to "
                + FailureText.excerpt(values, wantedValues.describe()) + ", not to a " + wanted + " of "
                + FailureText.excerpt(wantedKeys.describe(), keys) + " to "
                + FailureText.excerpt(wantedValues.describe(), values));
        }
    }
}
