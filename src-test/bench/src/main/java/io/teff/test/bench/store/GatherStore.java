package io.teff.test.bench.store;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Not a store, but the limit of Java: an array of addresses and an area of values in two constant segments, without any
 * safety: nothing is checked, locked or ever freed. For one length.
 */
@SuppressWarnings("restricted")
final class GatherStore implements KeyedStore {
    private static final int ENTRY_SHIFT = 3;
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ValueLayout.OfLong LONGS = ValueLayout.JAVA_LONG_UNALIGNED;

    /** Allocates untouched memory, as a growing store gets; an arena would zero it beforehand. */
    private static final MethodHandle MALLOC = Linker.nativeLinker().downcallHandle(
        Linker.nativeLinker().defaultLookup().findOrThrow("malloc"),
        FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = Linker.nativeLinker().downcallHandle(
        Linker.nativeLinker().defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    private final long entries;
    private final int length;
    private final long table;
    private final long values;

    GatherStore(long entries, int length) {
        this.entries = entries;
        this.length = length;
        table = malloc(entries << ENTRY_SHIFT);
        values = malloc(entries * length);
    }

    private static long malloc(long bytes) {
        try {
            long address = (long) MALLOC.invokeExact(bytes);
            if (address == 0) {
                throw new OutOfMemoryError(bytes + " bytes");
            }
            return address;
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private static Error failed(Throwable e) {
        return e instanceof Error error ? error : new AssertionError(e);
    }

    @Override
    public long create(long key, byte[] value) {
        long address = values + key * length;
        MemorySegment.copy(value, 0, ALL, ValueLayout.JAVA_BYTE, address, value.length);
        ALL.set(LONGS, table + (key << ENTRY_SHIFT), address);
        return key;
    }

    @Override
    public int get(long key, byte[] target) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, ALL.get(LONGS, table + (key << ENTRY_SHIFT)), target, 0, length);
        return length;
    }

    @Override
    public void put(long key, byte[] value) {
        MemorySegment.copy(value, 0, ALL, ValueLayout.JAVA_BYTE, ALL.get(LONGS, table + (key << ENTRY_SHIFT)),
            value.length);
    }

    @Override
    public long readLong(long key) {
        return ALL.get(LONGS, ALL.get(LONGS, table + (key << ENTRY_SHIFT)));
    }

    @Override
    public void getAll(long[] keys, int[] lengths, byte[] target) {
        for (int i = 0; i < keys.length; i++) {
            keys[i] = ALL.get(LONGS, table + (keys[i] << ENTRY_SHIFT));
        }
        for (int i = 0; i < keys.length; i++) {
            MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, keys[i], target, i * length, length);
            lengths[i] = length;
        }
    }

    @Override
    public boolean remove(long key) {
        ALL.set(LONGS, table + (key << ENTRY_SHIFT), 0);
        return true;
    }

    @Override
    public long sum() {
        long sum = 0;
        for (long key = 0; key < entries; key++) {
            sum += readLong(key);
        }
        return sum;
    }

    @Override
    public void close() {
        free(table);
        free(values);
    }
}
