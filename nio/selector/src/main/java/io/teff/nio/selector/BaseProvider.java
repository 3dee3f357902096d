package io.teff.nio.selector;

import java.lang.reflect.InvocationTargetException;
import java.nio.channels.spi.SelectorProvider;

/** Finds the provider of the JDK. */
final class BaseProvider {
    private static final String HOME = "sun.nio.ch.DefaultSelectorProvider";

    private BaseProvider() {}

    /**
     * Finds the JDK's provider beside a provider.
     *
     * @throws UnsupportedOperationException with the missing flag of the JVM, if the system property names the provider
     *     and the flag is missing
     */
    static SelectorProvider beside(SelectorProvider own) {
        final SelectorProvider named = SelectorProvider.provider();
        if (named != null && !named.equals(own) && !(named instanceof TeffProvider)) {
            return named;
        }
        try {
            return (SelectorProvider) Class.forName(HOME).getMethod("get").invoke(null);
        } catch (IllegalAccessException e) {
            final Module module = BaseProvider.class.getModule();
            final String user = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            throw new UnsupportedOperationException("the system property java.nio.channels.spi.SelectorProvider names "
                + own.getClass().getName() + ", so the JVM needs the flag --add-exports java.base/sun.nio.ch=" + user
                + ": all channels stand around the JDK's own. As an object (TeffSelectorProvider.create) the provider "
                + "needs no flag.", e);
        } catch (ClassNotFoundException | NoSuchMethodException | InvocationTargetException e) {
            throw new UnsupportedOperationException("this JVM has no " + HOME, e);
        }
    }
}
