package io.teff.test.bench.store;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.infinispan.commons.api.BasicCacheContainer;

/**
 * Infinispan embedded in one node, with its off-heap storage. Its manager is made by name, because javac cannot load
 * its class without annotations that are not published.
 */
final class InfinispanStores {
    private static final String MANAGER = "org.infinispan.manager.DefaultCacheManager";
    private static final String CONFIGURATION = """
        <infinispan>
          <cache-container default-cache="bench">
            <local-cache name="bench"><memory storage="OFF_HEAP"/></local-cache>
          </cache-container>
        </infinispan>
        """;

    private InfinispanStores() {}

    static Map<Long, byte[]> offHeap() {
        InputStream configuration = new ByteArrayInputStream(CONFIGURATION.getBytes(StandardCharsets.UTF_8));
        try {
            BasicCacheContainer manager = (BasicCacheContainer) Class.forName(MANAGER).getConstructor(InputStream.class)
                .newInstance(configuration);
            return manager.getCache("bench");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Infinispan does not start", e);
        }
    }
}
