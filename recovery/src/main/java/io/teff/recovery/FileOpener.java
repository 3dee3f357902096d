package io.teff.recovery;

import io.teff.engine.ChunkStore;
import io.teff.engine.StoreOpener;
import java.nio.file.Path;

/** Opens durable stores by {@code file:PATH}, for {@link ChunkStore#open}. */
public final class FileOpener implements StoreOpener {
    /** For the service loader. */
    public FileOpener() {}

    @Override
    public boolean opens(String scheme) {
        return scheme.equals("file");
    }

    @Override
    public ChunkStore open(String address) {
        final String path = address.substring(address.indexOf(':') + 1);
        if (path.isEmpty()) {
            throw new IllegalArgumentException("address=" + address + " names no folder; example: file:/data/teff");
        }
        return new FileStore(DurableStore.open(Path.of(path)));
    }
}
