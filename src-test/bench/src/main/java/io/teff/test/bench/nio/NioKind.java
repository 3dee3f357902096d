package io.teff.test.bench.nio;

import io.teff.nio.selector.SelectorSettings;
import io.teff.nio.selector.TeffSelectorProvider;
import io.teff.test.bench.store.Contender;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;

/** The compared providers, and UCX without a provider. */
public enum NioKind implements Contender {
    /** The provider of the JDK: sockets of the kernel. */
    JDK("JDK"),
    /** Teff's provider, with links by UCX. */
    TEFF("Teff"),
    /** Teff's provider, whose threads sleep at once. */
    TEFF_SLEEP("Teff, without spinning"),
    /** Teff's provider without links. */
    TEFF_TCP("Teff, TCP alone"),
    /** Active messages by Teff's binding of UCX, without a provider. */
    UCX("UCX alone");

    private final String title;

    NioKind(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> flags() {
        return this == JDK ? List.of() : List.of("--enable-native-access=ALL-UNNAMED");
    }

    /** Whether it needs the library UCX. */
    boolean isOverUcx() {
        return this == TEFF || this == TEFF_SLEEP || this == UCX;
    }

    /** Whether it supports a case. */
    boolean isFor(NioCase what) {
        return switch (this) {
            case UCX -> what.mode() == NioMode.PLAIN_TRIP || what.mode() == NioMode.PLAIN_RATE;
            case TEFF_SLEEP -> what.mode() == NioMode.BLOCKING_TRIP || what.mode() == NioMode.NETTY_TRIP;
            default -> true;
        };
    }

    /** Opens the provider of one end. */
    SelectorProvider open(String registry) {
        final SelectorSettings settings = SelectorSettings.DEFAULT.withRegistry(registry);
        return switch (this) {
            case JDK -> SelectorProvider.provider();
            case TEFF -> TeffSelectorProvider.create(settings);
            case TEFF_SLEEP -> TeffSelectorProvider.create(settings.withSpinNs(0));
            case TEFF_TCP -> TeffSelectorProvider.create(settings.withTcpOnly());
            case UCX -> throw new IllegalArgumentException("UCX alone has no provider");
        };
    }
}
