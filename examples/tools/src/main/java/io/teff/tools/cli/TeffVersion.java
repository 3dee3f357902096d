package io.teff.tools.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code teff --version} prints: the project's version and the JVM it runs on. */
final class TeffVersion implements IVersionProvider {
    private static final String UNPACKED = "development build";

    @Override
    public String[] getVersion() {
        String packed = Teff.class.getPackage().getImplementationVersion();
        return new String[] {
            "teff " + (packed == null ? UNPACKED : packed),
            "JVM " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")",
        };
    }
}
