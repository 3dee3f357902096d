/**
 * The {@code teff} command line.
 *
 * <p>It requires the examples for one reason: the demo runs the class graph, so that what a user sees at work is the
 * code that the examples offer for copying.
 */
module io.teff.tools {
    requires io.teff.engine;
    requires io.teff.recovery;
    requires io.teff.examples;
    requires io.teff.graph;
    requires info.picocli;
    requires HdrHistogram;
    requires com.fasterxml.jackson.jr.ob;
    requires java.desktop;
    requires jdk.jfr;
    requires static org.jspecify;

    // The command line library fills the annotated fields of commands by reflection.
    opens io.teff.tools.cli to info.picocli;
    opens io.teff.tools.console to info.picocli;
    opens io.teff.tools.demo to info.picocli;
    opens io.teff.tools.graph to info.picocli;
    opens io.teff.tools.heap to info.picocli;
    opens io.teff.tools.log to info.picocli;
    opens io.teff.tools.soak to info.picocli;
}
