/**
 * Derived codecs: {@link io.teff.engine.codec.schema.Schema} makes a codec of a type without any configuration, {@link
 * io.teff.engine.codec.schema.Codecs} has ready-made codecs of the most frequent keys and values.
 *
 * <p><b>Promise.</b> A record, class, enum, sealed type, array or value type of the JDK has a schema, or the exception
 * names the field that cannot have one. Writing allocates nothing except where {@code docs/OBJECTS.md} names it. Fields
 * of fixed size have offsets for access in place. Values written by another version of the types are read by the names
 * of their fields.
 *
 * <p><b>Fault model.</b> Descriptions of schemas may come from anywhere: length, nesting and the number of structs are
 * limited, and no class is looked up by a name in them.
 *
 * <p><b>Neighbours.</b> {@code codec.type} has the codecs that are composed here, {@code codec.partial} the readers and
 * writers for windows. Only {@code Schema} and {@code Codecs} are public. A schema is derived in three steps: {@code
 * Members} finds the fields and the constructor by reflection, {@code Derivation} composes codecs, {@code
 * StructGenerator} generates the code of a struct. {@code Evolution} does the second step for another version, whose
 * description {@code DescriptionParser} has parsed to a {@code Shape}.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.codec.schema.Schema}.
 */
@NullMarked
package io.teff.engine.codec.schema;

import org.jspecify.annotations.NullMarked;
