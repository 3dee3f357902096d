package io.teff.recovery.backup;

import io.teff.engine.Cid;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RunLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Records of a run as values, written and read for tests. */
record TestRun(int zone, List<Record> records) {
    /** A record. */
    record Record(long number, List<Entry> entries) {}

    /** An entry; its own number, or 0. */
    record Entry(long cid, int kind, ByteBuffer content, long number) {
        int length() {
            return content.remaining();
        }
    }

    static long number(int epoch, long counter) {
        return (long) epoch << RunLayout.COUNTER_BITS | counter;
    }

    static Entry put(long cid, byte... content) {
        return new Entry(cid, EntryKind.PUT, ByteBuffer.wrap(content), 0);
    }

    static Entry removed(long cid, long number) {
        return new Entry(cid, EntryKind.REMOVED, ByteBuffer.allocate(0), number);
    }

    /** Makes records of any kind, with numbers from a first one on. */
    static TestRun random(SplittableRandom random, int zone, long first, int records, int lengthMax) {
        List<Record> made = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            List<Entry> entries = new ArrayList<>();
            for (int count = random.nextInt(4); count > 0; count--) {
                entries.add(entry(random, zone, first + i, lengthMax));
            }
            made.add(new Record(first + i, entries));
        }
        return new TestRun(zone, made);
    }

    private static Entry entry(SplittableRandom random, int zone, long own, int lengthMax) {
        long cid = Cid.of(zone, (long) random.nextInt(3) << 40 | random.nextInt(1 << random.nextInt(1, 31)));
        int kind = random.nextInt(3) > 0 ? EntryKind.PUT : 1 + random.nextInt(4);
        byte[] content = new byte[kind <= EntryKind.PUT_READ_ONLY ? random.nextInt(lengthMax + 1) : 0];
        random.nextBytes(content);
        boolean isEarlier = kind == EntryKind.REMOVED && RunLayout.counter(own) > 1 && random.nextBoolean();
        return new Entry(cid, kind, ByteBuffer.wrap(content), isEarlier ? own - 1 : 0);
    }

    /** Writes the records from an offset on. Returns the offset behind them. */
    long write(MemorySegment memory, long offset) {
        long record = offset;
        for (Record each : records) {
            long at = RunWriter.begin(record);
            for (Entry entry : each.entries) {
                long content = RunWriter.entry(memory, at, entry.cid, entry.kind, entry.length(), entry.number);
                MemorySegment.copy(MemorySegment.ofBuffer(entry.content), 0, memory, content, entry.length());
                at = RunWriter.next(content, entry.length());
            }
            record = RunWriter.end(memory, record, each.number, each.entries.size(), at);
        }
        return record;
    }

    /** Returns the bytes of the records. */
    byte[] bytes() {
        long most = records.stream().mapToLong(record -> RunWriter.recordBytesMax(record.entries.size(),
            record.entries.stream().mapToLong(Entry::length).sum())).sum();
        byte[] bytes = new byte[(int) most];
        return Arrays.copyOf(bytes, (int) write(MemorySegment.ofArray(bytes), 0));
    }

    /** Reads the records of a checked run. */
    static TestRun read(RunReader reader, MemorySegment run, int zone) {
        List<Record> found = new ArrayList<>();
        while (reader.nextRecord()) {
            List<Entry> entries = new ArrayList<>();
            while (reader.nextEntry()) {
                byte[] content = run.asSlice(reader.contentOffset(), reader.length()).toArray(ValueLayout.JAVA_BYTE);
                entries.add(new Entry(reader.cid(), reader.kind(), ByteBuffer.wrap(content),
                    reader.entryNumber() == reader.number() ? 0 : reader.entryNumber()));
            }
            found.add(new Record(reader.number(), entries));
        }
        return new TestRun(zone, found);
    }

    long last() {
        return records.getLast().number();
    }
}
