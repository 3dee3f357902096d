package io.teff.engine;

/** Opens stores in this process by {@code memory:}, for {@link ChunkStore#open}. */
public final class MemoryOpener implements StoreOpener {
    private static final String ADDRESS = "memory:";

    /** For the service loader. */
    public MemoryOpener() {}

    @Override
    public boolean opens(String scheme) {
        return ADDRESS.equals(scheme + ':');
    }

    @Override
    public ChunkStore open(String address) {
        if (!address.equals(ADDRESS)) {
            throw new IllegalArgumentException("address=" + address + " has something behind " + ADDRESS);
        }
        return Store.open();
    }
}
