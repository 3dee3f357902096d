/**
 * A selector provider: programs written for {@code java.nio} run over OpenUCX where the peer has the provider, too.
 *
 * <p>Needs {@code --enable-native-access=io.teff.rdma}. As the provider of a system property it needs {@code
 * --add-exports java.base/sun.nio.ch=ALL-UNNAMED} (or {@code =io.teff.nio.selector} on the module path) as well.
 */
module io.teff.nio.selector {
    requires io.teff.rdma;
    requires jdk.jfr;
    requires static org.jspecify;

    exports io.teff.nio.selector;
    exports io.teff.nio.selector.report;
}
