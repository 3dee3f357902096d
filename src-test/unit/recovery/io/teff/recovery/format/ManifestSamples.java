package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Manifests for tests. */
final class ManifestSamples {
    static final ManifestRecord.Log LOG = new ManifestRecord.Log(Samples.LOG, Samples.SALT, 8 << 20, 7);
    static final ManifestRecord.Log BACKUP =
        new ManifestRecord.Log(Samples.LOG, Samples.SALT, 8 << 20, 7, FileHead.VERSION_OF_COPIES);

    private ManifestSamples() {}

    /** A new log, not opened yet. */
    static ManifestState state(ManifestRecord... records) {
        ManifestState state = new ManifestState();
        state.apply(LOG);
        for (ManifestRecord record : records) {
            state.apply(record);
        }
        return state;
    }

    /** Returns a text with every field of a state. */
    static String text(ManifestState state) {
        return state.problem(LOG) == null ? "nothing" : state.records() + " " + state.isBegun();
    }

    static boolean isBegun(ManifestState state) {
        return state.isBegun();
    }

    /** Returns a valid next record. */
    static ManifestRecord next(SplittableRandom random, ManifestState state) {
        while (true) {
            ZoneId zone = new ZoneId(random.nextInt(3), random.nextInt(3) - 1);
            List<Long> numbers = new ArrayList<>(state.segments(zone).keySet());
            long any = numbers.isEmpty() ? 0 : numbers.get(random.nextInt(numbers.size()));
            ManifestRecord record = switch (random.nextInt(14)) {
                case 0, 1 -> new ManifestRecord.ZoneMade(zone);
                case 2 -> random.nextInt(8) == 0 ? new ManifestRecord.ZoneDropped(zone) : LOG;
                case 3, 4, 5 -> new ManifestRecord.SegmentMade(zone.segment(state.nextSegment()));
                case 6, 7 -> new ManifestRecord.SegmentSealed(zone.segment(any));
                case 8 -> new ManifestRecord.SegmentsReplaced(zone,
                    random.nextBoolean() ? List.of() : List.of(state.nextSegment(), state.nextSegment() + 1),
                    numbers.subList(0, random.nextInt(numbers.size() + 1)));
                case 9 -> new ManifestRecord.Trimmed(state.firstFrame() + random.nextInt(100));
                case 10 -> new ManifestRecord.Opened(new UUID(random.nextLong(), random.nextLong()));
                case 11 -> new ManifestRecord.RingSynced();
                case 12 -> new ManifestRecord.FrameFile(random.nextInt(3), state.firstFrame() + random.nextInt(50));
                default -> new ManifestRecord.Closed(random.nextInt(1000) * 8L, random.nextInt(1000));
            };
            if (state.problem(record) == null) {
                return record;
            }
        }
    }

    /** Returns a manifest of some KiB: an initial state, then many records. */
    static MemorySegment large(SplittableRandom random) {
        ManifestState state = state();
        for (int i = 0; i < 40; i++) {
            state.apply(next(random, state));
        }
        List<ByteBuffer> parts = new ArrayList<>();
        parts.add(ManifestWriter.bytes(state));
        ManifestState again = ManifestReader.read(MemorySegment.ofBuffer(parts.getFirst())).state();
        for (int i = 0; i < 60; i++) {
            ManifestRecord record = next(random, again);
            again.apply(record);
            parts.add(ManifestWriter.bytes(record));
        }
        MemorySegment file = Samples.nativeBytes(parts.stream().mapToInt(ByteBuffer::remaining).sum());
        ByteBuffer target = file.asByteBuffer();
        parts.forEach(target::put);
        return file;
    }

    /** Returns the offset of each record of an undamaged manifest, and the end. */
    private static List<Integer> offsets(MemorySegment file) {
        List<Integer> offsets = new ArrayList<>();
        int at = 0;
        while (at < file.byteSize()) {
            offsets.add(at);
            at += ManifestLayout.HEAD_BYTES + LittleEndian.getInt(file, at + ManifestLayout.LENGTH_AT);
        }
        offsets.add(at);
        return offsets;
    }

    static long lastRecordAt(MemorySegment file) {
        List<Integer> offsets = offsets(file);
        return offsets.get(offsets.size() - 2);
    }

    /** Returns, by offset, the state after the records that end there or before. */
    static ManifestState[] states(MemorySegment file) {
        ManifestState[] states = new ManifestState[(int) file.byteSize() + 1];
        List<Integer> offsets = offsets(file);
        for (int record = 0; record < offsets.size(); record++) {
            ManifestState state = new ManifestState();
            for (int i = 0; i < record; i++) {
                int at = offsets.get(i);
                state.apply(ManifestLayout.read(file, at, LittleEndian.getInt(file, at + ManifestLayout.LENGTH_AT)));
            }
            int end = record + 1 < offsets.size() ? offsets.get(record + 1) : states.length;
            Arrays.fill(states, offsets.get(record), end, state);
        }
        return states;
    }
}
