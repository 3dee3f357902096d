package io.teff.bridge.jcache;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.regex.Pattern;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The names that JCache prescribes for the beans of a cache in the platform's bean server. */
enum BeanName {
    /** Name of a {@link javax.cache.management.CacheMXBean}. */
    CONFIGURATION("CacheConfiguration"),
    /** Name of a {@link javax.cache.management.CacheStatisticsMXBean}. */
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
     * Registers a bean.
     *
     * @return false if the name exists: a manager of the same URI and another class loader has such a cache
     * @throws CacheException if the server refuses the bean
     */
    boolean register(URI manager, String cache, Object bean) {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, of(manager, cache));
            return true;
        } catch (InstanceAlreadyExistsException e) {
            return false;
        } catch (JMException e) {
            throw refused(cache, e);
        }
    }

    /** Unregisters a bean, unless another thread has done so. */
    void unregister(URI manager, String cache) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName name = of(manager, cache);
            if (server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
        } catch (JMException e) {
            throw refused(cache, e);
        }
    }

    private CacheException refused(String cache, JMException e) {
        return new CacheException("the bean " + type + " of cache " + cache + ": " + e.getMessage(), e);
    }
}
