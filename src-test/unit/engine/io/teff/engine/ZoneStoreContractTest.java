package io.teff.engine;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.zone.Zones;
import io.teff.test.store.ChunkStoreContract;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** The contract of all stores, kept by the view of a zone; its store is closed with it. */
final class ZoneStoreContractTest extends ChunkStoreContract {
    @Override
    protected ChunkStore open(StoreConfig config) {
        Store store = Store.open(config);
        Zones.of(store).add(3);
        ChunkStore view = Zones.of(store).add(4);
        return (ChunkStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {ChunkStore.class},
            (proxy, method, arguments) -> {
                try {
                    return method.getName().equals("close") ? close(store) : method.invoke(view, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    private static Object close(Store store) {
        if (store.isOpen()) {
            store.audit();
        }
        store.close();
        return store;
    }
}
