package io.teff.recovery.format;

import io.teff.engine.Cid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Changes and files for tests. */
final class Samples {
    static final long LOG = 0x1122_3344_5566_7788L;
    static final long SALT = 0x0123_4567_89AB_CDEFL;
    static final SegmentId SEGMENT = new SegmentId(7, 3, 42);
    static final FileHead HEAD = FileHead.segment(LOG, SALT, SEGMENT);

    private static final long ZONE_BEGIN = 3L << 20;

    private Samples() {}

    /** Copies the bytes to native memory. */
    static MemorySegment nativeBytes(long size) {
        return Arena.ofAuto().allocate(size, LittleEndian.PAGE_BYTES);
    }

    static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Returns a change of any kind but a link, with the given number. */
    static Change change(SplittableRandom random, long sequence, int lengthMax) {
        int kind = random.nextInt(4) > 0 ? EntryKind.PUT : 1 + random.nextInt(4);
        byte[] payload = kind <= EntryKind.PUT_READ_ONLY ? bytes(random, random.nextInt(lengthMax + 1)) : new byte[0];
        int generation = random.nextInt(3) > 0 ? 0 : random.nextInt(256);
        boolean foreign = random.nextInt(8) == 0;
        long index = foreign ? random.nextLong(1L << 40) : ZONE_BEGIN + random.nextInt(1 << random.nextInt(1, 21));
        return Change.of(Cid.of(foreign ? random.nextInt(100) : SEGMENT.owner(), (long) generation << 40 | index),
            sequence, SEGMENT, kind, payload);
    }

    /** Returns a link that is a whole chunk of the given length in one piece. */
    static Change link(SplittableRandom random, long sequence, int kind, int chunkBytes) {
        byte[] payload = bytes(random, ChainLink.HEAD_BYTES + chunkBytes);
        ChainLink.writeHead(MemorySegment.ofArray(payload), 0, 0, chunkBytes);
        return Change.of(Cid.of(SEGMENT.owner(), ZONE_BEGIN), sequence, SEGMENT, kind, payload);
    }

    static SegmentWriter writer(BlockBuffer buffer, int segmentBytes) {
        SegmentWriter writer = new SegmentWriter(segmentBytes);
        writer.attach(buffer);
        return writer;
    }

    /** The file of a segment and the changes in it. */
    record Segment(byte[] bytes, List<Change> changes) {
        /** Fills a segment of this size with blocks up to a maximum size; sealed or not. */
        static Segment of(SplittableRandom random, int segmentBytes, int bufferBytes, boolean sealed) {
            SegmentWriter writer = writer(new BlockBuffer(bufferBytes), segmentBytes);
            byte[] file = new byte[segmentBytes];
            List<Change> changes = new ArrayList<>();
            put(file, writer, writer.open(LOG, SALT, SEGMENT));
            while (true) {
                Change change = change(random, changes.size(), 100);
                boolean added = add(writer, change);
                if (added) {
                    changes.add(change);
                } else if (writer.isEmpty()) {
                    break;
                }
                if (!writer.isEmpty() && (!added || random.nextInt(200) == 0)) {
                    put(file, writer, writer.block(writer.bytes()));
                }
            }
            if (sealed) {
                put(file, writer, writer.seal());
            }
            return new Segment(file, changes);
        }

        static boolean add(SegmentWriter writer, Change change) {
            return writer.add(change.cid(), change.sequence(), change.kind(), change.bytes(), 0, change.length());
        }

        static void put(byte[] file, SegmentWriter writer, ByteBuffer bytes) {
            bytes.get(file, (int) writer.offset(), bytes.remaining());
        }
    }

    /** Writes a record with changes to a ring. */
    static void record(RingWriter writer, long position, boolean group, MemorySegment ring, Change... changes) {
        long at = writer.begin(position, entriesBytes(changes));
        for (Change change : changes) {
            at = writer.entry(at, change.cid(), change.sequence(), change.owner(), change.zone(), change.kind(),
                change.length());
            MemorySegment.copy(change.bytes(), 0, ring, at, change.length());
            at += change.length();
        }
        writer.commit(position, group);
    }

    /** Returns the bytes of a record with changes. */
    static long recordBytes(Change... changes) {
        return RingRecord.bytes(entriesBytes(changes));
    }

    private static long entriesBytes(Change... changes) {
        long bytes = 0;
        for (Change change : changes) {
            bytes += RingRecord.ENTRY_BYTES + change.length();
        }
        return bytes;
    }

    /** A ring with changes from a position on, until the next would exceed a lap. */
    static final class Ring {
        final MemorySegment file;
        final RingWriter writer;
        final long capacity;
        final long start;
        final List<Change> changes = new ArrayList<>();
        final List<Long> positions = new ArrayList<>();
        long end;

        Ring(long capacity, long start) {
            this.capacity = capacity;
            this.start = start;
            this.end = start;
            this.file = nativeBytes(FileHead.BYTES + capacity);
            FileHead.ring(LOG, SALT, capacity).write(file);
            DrainedMark.write(file, start, SALT);
            this.writer = new RingWriter(file, SALT, capacity);
        }

        /** Claims room for a record, and fills the ring's end if necessary; returns -1 if the lap is full. */
        long claim(long bytes) {
            long skipped = RingRecord.skipped(end, bytes, capacity);
            if (end + skipped + bytes > start + capacity) {
                return -1;
            }
            if (skipped > 0) {
                writer.fill(end);
            }
            long position = end + skipped;
            end = position + bytes;
            return position;
        }

        /** Writes one more record; returns false if there is no room. */
        boolean add(boolean group, Change... more) {
            long position = claim(recordBytes(more));
            if (position >= 0) {
                record(writer, position, group, file, more);
                positions.add(position);
                changes.addAll(List.of(more));
            }
            return position >= 0;
        }

        /** Fills the lap. */
        Ring fill(SplittableRandom random, int lengthMax) {
            boolean room = true;
            while (room) {
                int count = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 1;
                Change[] more = new Change[count];
                for (int i = 0; i < count; i++) {
                    more[i] = change(random, changes.size() + i, lengthMax);
                }
                room = add(count > 1, more);
            }
            return this;
        }

        long read(RingReader.End how, EntryVisitor visitor) {
            return new RingReader(file, SALT, capacity).read(DrainedMark.read(file, SALT), how, visitor);
        }
    }
}
