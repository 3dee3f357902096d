package io.teff.test.bench.session;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Diagnostic commands of this JVM, as {@code jcmd} has them. */
final class JvmCommand {
    private JvmCommand() {}

    /**
     * Runs one.
     *
     * @param name as its operation is called, for example {@code vmNativeMemory}
     * @param arguments its own
     * @return what it prints
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
