/**
 * The process of a node, and the commands that run a cluster on one machine and look at one.
 *
 * <p>A program, not a library: nothing is exported.
 */
module io.teff.cluster.terminal {
    requires com.fasterxml.jackson.jr.ob;
    requires info.picocli;
    requires io.teff.cluster;
    requires io.teff.cluster.console;
    requires io.teff.examples;
    requires java.management;
    requires jdk.unsupported;
    requires org.jline.reader;
    requires static org.jspecify;
    requires org.tomlj;

    exports io.teff.cluster.terminal.node to java.management;

    // The command line library fills the annotated fields of commands by reflection.
    opens io.teff.cluster.terminal.backup to info.picocli;
    opens io.teff.cluster.terminal.cli to info.picocli;
    opens io.teff.cluster.terminal.demo to info.picocli;
    opens io.teff.cluster.terminal.deploy to info.picocli;
    opens io.teff.cluster.terminal.local to info.picocli;
    opens io.teff.cluster.terminal.node to info.picocli;
    opens io.teff.cluster.terminal.option to info.picocli;
    opens io.teff.cluster.terminal.shell to info.picocli;
    opens io.teff.cluster.terminal.shell.task to info.picocli;
    opens io.teff.cluster.terminal.status to info.picocli;
}
