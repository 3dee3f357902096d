/**
 * Small programs to copy from, and the {@code teff} command line.
 */
module io.teff.examples {
    requires io.teff.engine;
    requires io.teff.recovery;
    requires info.picocli;
    requires HdrHistogram;
    requires com.fasterxml.jackson.jr.ob;
    requires java.desktop;
    requires jdk.jfr;
    requires static org.jspecify;

    // The command line library fills the annotated fields of commands by reflection.
    opens io.teff.examples.cli to info.picocli;
    opens io.teff.examples.console to info.picocli;
    opens io.teff.examples.demo to info.picocli;
    opens io.teff.examples.heap to info.picocli;
    opens io.teff.examples.log to info.picocli;
    opens io.teff.examples.soak to info.picocli;
}
