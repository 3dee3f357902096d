package io.teff.nio.selector;

import io.teff.nio.selector.link.SidePlan;
import io.teff.nio.selector.side.SideNetworks;
import io.teff.nio.selector.side.SideSecret;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the side port: at the side port a program with the provider takes offers of programs on other
 * machines. All machines have equal ports and the same secret.
 */
public final class SideSettings {
    /** Most ports of a range. */
    public static final int PORTS_MAX = 32;
    /** Longest wait of a connect, in milliseconds. */
    public static final int WAIT_MS_MAX = 60_000;
    /** Without a side port: peers on other machines are reached by TCP. */
    public static final SideSettings OFF = new SideSettings(null);
    private static final int WAIT_MS = 2_000;
    private static final int PORT_MAX = 65_535;
    private static final String NAMES = "teff.nio.side";

    private final @Nullable SidePlan plan;

    private SideSettings(@Nullable SidePlan plan) {
        this.plan = plan;
    }

    private static SideSettings of(int firstPort, int lastPort, SideSecret secret) {
        if (firstPort < 1 || lastPort > PORT_MAX || lastPort < firstPort || lastPort - firstPort >= PORTS_MAX) {
            throw new IllegalArgumentException("ports " + firstPort + " to " + lastPort + ", limit " + PORTS_MAX
                + " ports");
        }
        return new SideSettings(new SidePlan(firstPort, lastPort, secret, SideNetworks.of(SideNetworks.PRIVATE),
            WAIT_MS));
    }

    /**
     * Turns the side port on. A program takes the first free port of the range, so a machine needs a port for each
     * program with the provider.
     *
     * @param firstPort of the range
     * @param lastPort of the range
     * @param secret 16 to 1,024 bytes, copied
     * @return for peers at private addresses
     */
    public static SideSettings of(int firstPort, int lastPort, byte[] secret) {
        return of(firstPort, lastPort, SideSecret.of(secret));
    }

    /**
     * Turns the side port on.
     *
     * @param firstPort of the range
     * @param lastPort of the range
     * @param secret file with the secret, closed to the group and to other users; ends of lines behind the secret do
     *     not count
     * @return for peers at private addresses
     */
    public static SideSettings ofFile(int firstPort, int lastPort, Path secret) {
        return of(firstPort, lastPort, SideSecret.of(secret));
    }

    /**
     * Reads the system properties {@code teff.nio.sidePorts} (a port, or the first and last port with a hyphen between
     * them), {@code teff.nio.sideSecretFile}, {@code teff.nio.sideNetworks} and {@code teff.nio.sideWaitMs}.
     *
     * @return off without ports
     */
    public static SideSettings ofProperties() {
        final String ports = System.getProperty(NAMES + "Ports", "");
        if (ports.isEmpty()) {
            return OFF;
        }
        final String file = System.getProperty(NAMES + "SecretFile", "");
        if (file.isEmpty()) {
            throw new IllegalArgumentException(NAMES + "Ports is set, and " + NAMES + "SecretFile is missing");
        }
        final String[] range = ports.split("-", -1);
        try {
            return ofFile(Integer.parseInt(range[0]), Integer.parseInt(range[range.length - 1]), Path.of(file))
                .withNetworks(System.getProperty(NAMES + "Networks", SideNetworks.PRIVATE))
                .withWaitMs(Integer.getInteger(NAMES + "WaitMs", WAIT_MS));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(NAMES + "Ports=" + ports, e);
        }
    }

    /**
     * Returns settings for other peers.
     *
     * @param networks at which side ports are looked for: parts with commas between them, each {@code private}, {@code
     *     any}, an address, or an address with the number of its fixed bits such as {@code 10.7.0.0/16}
     * @return otherwise equal
     */
    public SideSettings withNetworks(String networks) {
        final SidePlan from = required();
        return new SideSettings(new SidePlan(from.firstPort(), from.lastPort(), from.secret(),
            SideNetworks.of(networks), from.waitMs()));
    }

    /**
     * Returns settings with another limit of waiting.
     *
     * @param waitMs longest time in milliseconds by which the search for a side port, the proof and the path delay a
     *     connect; the answer to an offer has a quarter of the time
     * @return otherwise equal
     */
    public SideSettings withWaitMs(int waitMs) {
        if (waitMs < 1 || waitMs > WAIT_MS_MAX) {
            throw new IllegalArgumentException("waitMs=" + waitMs + ", limit " + WAIT_MS_MAX);
        }
        final SidePlan from = required();
        return new SideSettings(new SidePlan(from.firstPort(), from.lastPort(), from.secret(), from.networks(),
            waitMs));
    }

    private SidePlan required() {
        if (plan == null) {
            throw new IllegalStateException("the side port is off");
        }
        return plan;
    }

    /** {@return whether there is a side port} */
    public boolean isOn() {
        return plan != null;
    }

    @Nullable SidePlan plan() {
        return plan;
    }

    @Override
    public String toString() {
        return plan == null ? "off" : plan.toString();
    }
}
