package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.StoreModel.Expected;
import io.teff.engine.error.Status;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The batch operations of the store model. */
final class ModelBatch {
    private static final int COUNT_MAX = 40;
    private static final int FROM = 2;

    private ModelBatch() {}

    private static int count(StoreModel model) {
        return model.random.nextInt(Math.max(Math.min(COUNT_MAX, model.keysMax - model.live.size()), 1));
    }

    private static long[] cids(StoreModel model) {
        long[] cids = new long[FROM + model.random.nextInt(COUNT_MAX)];
        for (int i = FROM; i < cids.length; i++) {
            cids[i] = model.cid();
        }
        return cids;
    }

    /** A small length: a batch must not fill the store at once. */
    private static int length(StoreModel model) {
        return Math.min(model.length(), 20_000);
    }

    static void create(StoreModel model) {
        int count = count(model);
        int length = length(model);
        long[] cids = new long[FROM + count];
        boolean consecutive = model.random.nextBoolean();
        int made = model.store.batch().create(length, cids, FROM, count, consecutive);
        for (int i = 0; i < made; i++) {
            assertTrue(!consecutive || cids[FROM + i] == cids[FROM] + i);
            model.created(cids[FROM + i], new byte[length], false);
        }
        rest(model, cids, made, (long) length * count);
    }

    private static void rest(StoreModel model, long[] cids, int made, long total) {
        for (int i = FROM + made; i < cids.length; i++) {
            model.full(cids[i], total);
        }
    }

    static void createRange(StoreModel model) {
        byte[][] contents = new byte[count(model)][];
        int[] lengths = new int[contents.length];
        boolean zeros = model.random.nextBoolean();
        boolean consecutive = model.random.nextBoolean();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < contents.length; i++) {
            lengths[i] = length(model);
            contents[i] = zeros ? new byte[lengths[i]] : model.content(lengths[i]);
            all.writeBytes(contents[i]);
        }
        long[] cids = new long[FROM + contents.length];
        int made = model.store.batch().create(zeros ? null : MemorySegment.ofArray(all.toByteArray()), lengths, cids,
            FROM, consecutive);
        for (int i = 0; i < made; i++) {
            if (consecutive) {
                assertEquals(cids[FROM] + i, cids[FROM + i]);
            }
            model.created(cids[FROM + i], contents[i], false);
            model.compare(cids[FROM + i]);
        }
        rest(model, cids, made, all.size());
    }

    static void get(StoreModel model) {
        long[] cids = cids(model);
        int count = cids.length - FROM;
        byte[] target = new byte[3 + model.random.nextInt(200_000)];
        int[] lengths = new int[count + 1];
        byte[] expectedTarget = new byte[target.length];
        int at = 3;
        int[] expectedLengths = new int[count + 1];
        for (int i = 0; i < count; i++) {
            Expected expected = model.live.get(cids[FROM + i]);
            boolean fits = expected != null && expected.content.length <= target.length - at;
            expectedLengths[i] = expected == null ? Status.ABSENT : fits ? expected.content.length : Status.TOO_SMALL;
            if (fits) {
                System.arraycopy(expected.content, 0, expectedTarget, at, expected.content.length);
                at += expected.content.length;
            }
        }
        long written = model.random.nextBoolean() ? model.store.batch().get(cids, FROM, count, target, 3, lengths)
            : model.store.batch().get(cids, FROM, count, MemorySegment.ofArray(target), 3, lengths);
        assertEquals(at - 3, written);
        assertArrayEquals(expectedLengths, lengths);
        assertEquals(-1, Arrays.mismatch(expectedTarget, target));
    }

    static void put(StoreModel model) {
        long[] cids = cids(model);
        int count = cids.length - FROM;
        byte[][] contents = new byte[count][];
        int[] lengths = new int[count];
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            Expected expected = model.live.get(cids[FROM + i]);
            lengths[i] = expected != null && model.random.nextBoolean() ? expected.content.length : length(model);
            contents[i] = model.content(lengths[i]);
            all.writeBytes(contents[i]);
        }
        int[] statuses = new int[count];
        int good = model.store.batch().put(cids, FROM, MemorySegment.ofArray(all.toByteArray()), lengths, statuses);
        assertEquals(Arrays.stream(statuses).filter(status -> status == Status.OK).count(), good);
        for (int i = 0; i < count; i++) {
            model.put(cids[FROM + i], contents[i], statuses[i]);
        }
        Arrays.stream(cids, FROM, cids.length).forEach(model::compare);
    }

    static void remove(StoreModel model) {
        long[] cids = cids(model);
        int count = cids.length - FROM;
        long[] results = new long[count];
        int good = model.store.batch().remove(cids, FROM, count, results);
        assertEquals(Arrays.stream(results).filter(result -> result >= 0).count(), good);
        for (int i = 0; i < count; i++) {
            model.remove(cids[FROM + i], results[i]);
        }
    }

    static void resize(StoreModel model) {
        long[] cids = cids(model);
        long[] lengths = new long[cids.length - FROM];
        Arrays.setAll(lengths, i -> length(model));
        int[] statuses = new int[lengths.length];
        int good = model.store.batch().resize(cids, FROM, lengths, statuses);
        assertEquals(Arrays.stream(statuses).filter(status -> status == Status.OK).count(), good);
        for (int i = 0; i < lengths.length; i++) {
            model.resize(cids[FROM + i], lengths[i], statuses[i]);
        }
        Arrays.stream(cids, FROM, cids.length).forEach(model::compare);
    }

    static void look(StoreModel model) {
        long[] cids = cids(model);
        int count = cids.length - FROM;
        long[] sizes = new long[count];
        boolean[] exist = new boolean[count];
        int sized = model.store.batch().size(cids, FROM, count, sizes);
        int found = model.store.batch().exists(cids, FROM, count, exist);
        int there = 0;
        for (int i = 0; i < count; i++) {
            Expected expected = model.live.get(cids[FROM + i]);
            assertEquals(expected == null ? Status.ABSENT : expected.content.length, sizes[i]);
            assertEquals(expected != null, exist[i]);
            there += expected != null ? 1 : 0;
        }
        assertEquals(there, sized);
        assertEquals(there, found);
    }
}
