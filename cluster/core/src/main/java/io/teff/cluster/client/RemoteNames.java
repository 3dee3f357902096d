package io.teff.cluster.client;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.NameOperations;
import io.teff.engine.NamedRoot;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** The names of a cluster: the rows of the directory. Thread-safe. */
final class RemoteNames implements NameOperations {
    private final ChunkStore store;
    private final RemoteDirectory directory;

    RemoteNames(ChunkStore store, RemoteDirectory directory) {
        this.store = store;
        this.directory = directory;
    }

    @Override
    public void bind(String name, long cid) {
        Objects.requireNonNull(name);
        if (!store.exists(cid)) {
            throw new IllegalArgumentException("chunk " + Cid.toString(cid) + " does not exist");
        }
        directory.bind(name, cid);
    }

    @Override
    public Optional<NamedRoot> get(String name) {
        return Optional.ofNullable(directory.find(Objects.requireNonNull(name))).map(CollectionRow::shown);
    }

    @Override
    public Map<String, NamedRoot> all() {
        final Map<String, NamedRoot> all = new TreeMap<>();
        directory.all().forEach((name, row) -> all.put(name, row.shown()));
        return Collections.unmodifiableMap(all);
    }

    @Override
    public boolean drop(String name) {
        return directory.drop(Objects.requireNonNull(name));
    }
}
