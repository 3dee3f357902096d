package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: whenever the process that locks ends, the lock's file names an owner, and one line of a lock at most. */
final class SystemLockTest {
    private static final String LONG = "process 1 of a machine with a long name\nlocked: 1 then key some-id\n";
    private static final String SHORT = "process 234\nlocked: 234 now key other\n";

    @Test
    void write_endedAfterAnyCall_namesAnOwner() throws IOException {
        for (String before : List.of(LONG, SHORT, "process 1\n")) {
            for (String after : List.of(LONG, SHORT, "process 1\n")) {
                Bytes file = new Bytes(before);
                SystemLock.write(file, after);
                assertEquals(after, file.text());
                for (String text : file.states) {
                    String owner = LockLine.holder(text);
                    assertFalse(owner.isEmpty(), () -> after + " over " + before + " was empty");
                    assertTrue(before.startsWith(owner + "\n") || after.startsWith(owner + "\n"), text);
                    List<String> second = text.lines().skip(1).limit(1).toList();
                    assertTrue(second.isEmpty() || before.contains(second.getFirst())
                        || after.contains(second.getFirst()), text);
                }
            }
        }
    }

    /** A file in memory that keeps its text after each change. */
    private static final class Bytes extends FileChannel {
        final List<String> states = new ArrayList<>();
        private byte[] bytes;

        Bytes(String text) {
            bytes = text.getBytes(StandardCharsets.UTF_8);
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public int write(ByteBuffer source, long at) {
            int count = source.remaining();
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length, (int) at + count));
            source.get(bytes, (int) at, count);
            states.add(text());
            return count;
        }

        @Override
        public FileChannel truncate(long size) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(bytes.length, size));
            states.add(text());
            return this;
        }

        private static UnsupportedOperationException unused() {
            return new UnsupportedOperationException("a lock does not need it");
        }

        @Override
        public int read(ByteBuffer target) {
            throw unused();
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) {
            throw unused();
        }

        @Override
        public int write(ByteBuffer source) {
            throw unused();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw unused();
        }

        @Override
        public long position() {
            throw unused();
        }

        @Override
        public FileChannel position(long position) {
            throw unused();
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void force(boolean metadata) {}

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw unused();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw unused();
        }

        @Override
        public int read(ByteBuffer target, long position) {
            throw unused();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw unused();
        }

        @Override
        public MemorySegment map(MapMode mode, long offset, long size, Arena arena) {
            throw unused();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw unused();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw unused();
        }

        @Override
        protected void implCloseChannel() {}
    }
}
