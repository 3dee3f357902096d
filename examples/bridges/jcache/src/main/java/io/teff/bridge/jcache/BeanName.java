package io.teff.bridge.jcache;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.regex.Pattern;
import javax.cache.CacheException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Where a bean of a cache is found in the platform's bean server: the names that JCache prescribes. */
enum BeanName {
    /** Of a {@link javax.cache.management.CacheMXBean}. */
    CONFIGURATION("CacheConfiguration"),
    /** Of a {@link javax.cache.management.CacheStatisticsMXBean}. */
    STATISTICS("CacheStatistics");

    private static final Pattern UNSAFE = Pattern.compile("[,:=\n]");

    private final String type;

    BeanName(String type) {
        this.type = type;
    }

    private ObjectName of(URI manager, String cache) throws JMException {
        return new ObjectName("javax.cache:type=" + type + ",CacheManager=" + safe(manager.toString()) + ",Cache="
            + safe(cache));
    }

    private static String safe(String text) {
        return UNSAFE.matcher(text).replaceAll(".");
    }

    /**
     * Shows a bean, or hides it; nothing if that is so already.
     *
     * @throws CacheException if the server refuses
     */
    void show(URI manager, String cache, Object bean, boolean on) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName name = of(manager, cache);
            if (on && !server.isRegistered(name)) {
                server.registerMBean(bean, name);
            } else if (!on && server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
        } catch (JMException e) {
            throw new CacheException("the bean " + type + " of cache " + cache + ": " + e.getMessage(), e);
        }
    }
}
