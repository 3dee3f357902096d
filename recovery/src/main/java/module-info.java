/**
 * The two-level log that makes chunks survive the process and the machine.
 *
 * <p>Like the engine it needs nothing but the JDK. No package is exported yet, for only the lowest ones stand: see
 * {@code io.teff.recovery}.
 */
module io.teff.recovery {
    requires transitive io.teff.engine;
    requires static org.jspecify;
}
