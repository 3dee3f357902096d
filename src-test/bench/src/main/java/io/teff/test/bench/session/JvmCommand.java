package io.teff.test.bench.session;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Diagnostic commands of this JVM, as offered by {@code jcmd}. */
final class JvmCommand {
    private JvmCommand() {}

    /**
     * Runs a command.
     *
     * @param name the name of its operation, for example {@code vmNativeMemory}
     * @param arguments its arguments
     * @return its output
     */
    static String run(String name, String... arguments) {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), name, new Object[] {arguments},
                new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("no such command of this JVM: " + name, e);
        }
    }
}
