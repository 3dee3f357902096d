package io.teff.test.bench.index;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** A store whose indexes are measured. */
enum IndexKind implements Contender {
    MEMORY("Teff, in memory"),
    LOGGED("Teff, durable, LOGGED");

    private final String title;

    IndexKind(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean isOffHeap() {
        return true;
    }

    @Override
    public List<String> flags() {
        return List.of("--enable-native-access=ALL-UNNAMED");
    }
}
