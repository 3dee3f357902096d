package io.teff.test.bench.durable;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;

/** Chronicle Map in a mapped file, presized; an existing file is recovered, as it is unknown how its process ended. */
final class ChronicleKeeper implements Keeper {
    private final File file;
    private final ChronicleMap<Long, byte[]> map;

    ChronicleKeeper(Path folder, long entries) {
        file = folder.resolve("bench").toFile();
        try {
            ChronicleMapBuilder<Long, byte[]> builder = ChronicleMapBuilder.of(Long.class, byte[].class).name("bench")
                .entries(entries).putReturnsNull(true).constantValueSizeBySample(new byte[Values.BYTES]);
            map = file.exists() ? builder.recoverPersistedTo(file, true) : builder.createPersistedTo(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long create(long key, byte[] value) {
        put(key, value);
        return key;
    }

    @Override
    public void put(long name, byte[] value) {
        map.put(name, value);
    }

    @Override
    public boolean get(long name, byte[] target) {
        return map.getUsing(name, target) != null;
    }

    /** The map has no call for this; the kernel writes the mapped pages when the file is synced. */
    @Override
    public void sync() {
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.WRITE)) {
            channel.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        map.close();
    }
}
