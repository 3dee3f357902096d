package io.teff.engine.codec.schema;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamConstants;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/**
 * Times and zones that were right when they were stored. The rules of zones change, zones are added and removed, and
 * another machine may have other rules. Then the methods of its class do not make such a stored value: the offset is
 * not an offset of the zone at that time, or the zone is unknown here. Yet the value must come back, and as the same
 * bytes when written again, because the value may be a key.
 *
 * <p>The only public way to such a value is the serialized form of {@code java.time}, whose reader does not consult
 * rules. This class writes that form of a value and lets the JDK read it. That takes some microseconds and is done for
 * outdated values only.
 */
final class StoredTimes {
    private static final String SERIALIZER = "java.time.Ser";
    private static final long SERIALIZER_UID = -7683839454370182990L;
    private static final byte REGION = 7;
    private static final byte ZONED = 6;
    /** Seconds of an offset's unit in the serialized form, which has one byte for whole units. */
    private static final int OFFSET_UNIT = 900;
    private static final byte OFFSET_IN_SECONDS = 127;

    private StoredTimes() {}

    /**
     * Returns the zone with an id, even if no rules are known for it.
     *
     * @throws DateTimeException if the text is no id of a zone
     */
    static ZoneId zone(String id) {
        try {
            return ZoneId.of(id);
        } catch (DateTimeException e) {
            return (ZoneId) read(out -> putRegion(id, out), e);
        }
    }

    /**
     * Returns a date and time with an offset and a zone, even if the zone does not have the offset at that time.
     *
     * @throws DateTimeException if no rules could make this value, or the text is no id of a zone
     */
    static ZonedDateTime dateTime(LocalDateTime dateTime, ZoneOffset offset, String zoneId) {
        try {
            return ZonedDateTime.ofStrict(dateTime, offset, ZoneId.of(zoneId));
        } catch (DateTimeException e) {
            ZoneId zone = zone(zoneId);
            if (zone instanceof ZoneOffset) {
                throw e;                                        // the offset of an offset does not change
            }
            return (ZonedDateTime) read(out -> {
                out.writeByte(ZONED);
                putDateTime(dateTime, out);
                putOffset(offset, out);
                putRegion(zone.getId(), out);
            }, e);
        }
    }

    // ---- the serialized form ----

    private interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    /** Lets the JDK read a value; throws the failure before if it refuses. */
    private static Object read(Writer writer, DateTimeException before) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(stream(writer)))) {
            in.setObjectInputFilter(ObjectInputFilter.Config.createFilter("java.time.*;!*"));
            return in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            before.addSuppressed(e);
            throw before;
        }
    }

    /** Returns a stream with one externalizable object. */
    private static byte[] stream(Writer writer) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (DataOutputStream inner = new DataOutputStream(content); DataOutputStream out = new DataOutputStream(all)) {
            writer.write(inner);
            out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            out.writeShort(ObjectStreamConstants.STREAM_VERSION);
            out.writeByte(ObjectStreamConstants.TC_OBJECT);
            out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            out.writeUTF(SERIALIZER);
            out.writeLong(SERIALIZER_UID);
            out.writeByte(ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA);
            out.writeShort(0);                                  // no fields
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            out.writeByte(ObjectStreamConstants.TC_NULL);       // no superclass
            putBlock(content.toByteArray(), out);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        } catch (IOException e) {
            throw new UncheckedIOException(e);                  // a name of more than 64 KiB
        }
        return all.toByteArray();
    }

    private static void putBlock(byte[] content, DataOutputStream out) throws IOException {
        out.writeByte(ObjectStreamConstants.TC_BLOCKDATALONG);
        out.writeInt(content.length);
        out.write(content);
    }

    private static void putRegion(String id, DataOutputStream out) throws IOException {
        out.writeByte(REGION);
        out.writeUTF(id);
    }

    private static void putDateTime(LocalDateTime value, DataOutputStream out) throws IOException {
        out.writeInt(value.getYear());
        out.writeByte(value.getMonthValue());
        out.writeByte(value.getDayOfMonth());
        out.writeByte(value.getHour());
        out.writeByte(value.getMinute());
        out.writeByte(value.getSecond());
        out.writeInt(value.getNano());
    }

    private static void putOffset(ZoneOffset value, DataOutputStream out) throws IOException {
        int seconds = value.getTotalSeconds();
        boolean isWhole = seconds % OFFSET_UNIT == 0;
        out.writeByte(isWhole ? seconds / OFFSET_UNIT : OFFSET_IN_SECONDS);
        if (!isWhole) {
            out.writeInt(seconds);
        }
    }
}
