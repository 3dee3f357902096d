/**
 * The two-level log that makes chunks survive the process and the machine.
 *
 * <p>Like the engine it needs nothing but the JDK. No package is exported to everybody yet, for only the lowest ones
 * stand: see {@code io.teff.recovery}.
 */
@SuppressWarnings("module")                                  // examples is compiled later
module io.teff.recovery {
    requires transitive io.teff.engine;
    requires static org.jspecify;

    exports io.teff.recovery.tool to io.teff.examples;
}
