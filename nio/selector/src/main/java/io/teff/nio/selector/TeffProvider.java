package io.teff.nio.selector;

import java.nio.channels.spi.SelectorProvider;

/** Marks the provider of Teff, for classes that must not know more about the provider. */
abstract class TeffProvider extends SelectorProvider {
    TeffProvider() {}
}
