package io.teff.tools.cli;

import picocli.CommandLine.IVersionProvider;

/** The output of {@code teff --version}: the version of Teff, and the JVM that runs it. */
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
