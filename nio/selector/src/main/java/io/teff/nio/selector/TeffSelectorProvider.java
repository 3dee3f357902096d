package io.teff.nio.selector;

import io.teff.nio.selector.link.Fabric;
import io.teff.nio.selector.link.WorkerKeeper;
import io.teff.nio.selector.report.LinkReason;
import io.teff.nio.selector.report.Reports;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A provider of channels whose bytes go by OpenUCX where the peer has the provider, too.
 *
 * <p>Two ways in. As an <em>object</em>: {@link #create}, for programs and libraries that take a provider; no flag of
 * the JVM is needed beside native access. By the system <em>property</em> {@code
 * java.nio.channels.spi.SelectorProvider} with the name of this class: the JVM needs {@code --add-exports
 * java.base/sun.nio.ch=ALL-UNNAMED}, and without the flag each channel is refused with a message that names the flag.
 *
 * <p>Datagram channels, pipes and sockets of the file system are the JDK's, and register with selectors of this
 * provider like other channels.
 */
public final class TeffSelectorProvider extends TeffProvider implements AutoCloseable {
    /** What is made at the first use: {@code SelectorProvider.provider()} does not work in the constructor. */
    private record Parts(SelectorProvider base, Fabric fabric) {}

    private final SelectorSettings settings;
    private final Reports reports = new Reports();
    private volatile @Nullable Parts parts;

    /** Creates the provider of the system property, with the settings of system properties. */
    public TeffSelectorProvider() {
        this(SelectorSettings.ofProperties());
    }

    private TeffSelectorProvider(SelectorSettings settings) {
        this.settings = settings;
    }

    /**
     * Creates a provider for programs that take a provider as an object.
     *
     * @param settings that hold for all its channels
     * @return for any number of channels and selectors
     */
    public static TeffSelectorProvider create(SelectorSettings settings) {
        return new TeffSelectorProvider(settings);
    }

    private Parts parts() {
        final Parts found = parts;
        return found == null ? makeParts() : found;
    }

    private synchronized Parts makeParts() {
        Parts made = parts;
        if (made == null) {
            final SelectorProvider base = BaseProvider.beside(this);
            made = new Parts(base, new Fabric(base, settings.usesLinks(), settings.registry(), settings.transports(),
                settings.spinNs(), settings.firstWaitMs(), settings.side().plan(), reports));
            parts = made;
        }
        return made;
    }

    /** {@return the number of connections by their way and reason, so far} */
    public Map<LinkReason, Long> counts() {
        return reports.counts();
    }

    /** {@return why UCX or the registry does not work; null if there was no failure} */
    public @Nullable Throwable lastFailure() {
        return reports.lastFailure();
    }

    /** {@return whether a thread sleeps in the descriptors of UCX, for tests} */
    boolean isKeptBy(Thread thread) {
        final WorkerKeeper keeper = parts().fabric().keeper();
        return keeper != null && keeper.isKeptBy(thread);
    }

    /** {@return whether the helper of the worker sleeps in the descriptors of UCX, or is about to, for tests} */
    boolean isKeptByHelper() {
        final WorkerKeeper keeper = parts().fabric().keeper();
        return keeper != null && keeper.isKeptByHelper();
    }

    /** {@return whether the helper of the worker sleeps beside a keeper, for tests} */
    boolean isHelperResting() {
        final WorkerKeeper keeper = parts().fabric().keeper();
        return keeper != null && keeper.isHelperResting();
    }

    /** {@return the number of connections by UCX that are open or being closed, for tests} */
    int linkCount() {
        return parts().fabric().linkCount();
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return parts().base().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return parts().base().openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return parts().base().openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        final Parts made = parts();
        return new TeffSelector(this, made.fabric(), made.base().openSelector());
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        final Parts made = parts();
        return new TeffServerSocketChannel(this, made.fabric(), made.base().openServerSocketChannel());
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        final Parts made = parts();
        final ServerSocketChannel channel = made.base().openServerSocketChannel(family);
        return family == StandardProtocolFamily.UNIX ? channel
            : new TeffServerSocketChannel(this, made.fabric(), channel);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        final Parts made = parts();
        return new TeffSocketChannel(this, made.fabric(), made.base().openSocketChannel());
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        final Parts made = parts();
        final SocketChannel channel = made.base().openSocketChannel(family);
        return family == StandardProtocolFamily.UNIX ? channel : new TeffSocketChannel(this, made.fabric(), channel);
    }

    @Override
    public @Nullable Channel inheritedChannel() throws IOException {
        return parts().base().inheritedChannel();
    }

    /** Ends the threads of the provider, and all connections by UCX. Connections by TCP stay. */
    @Override
    public void close() throws IOException {
        final Parts made = parts;
        if (made != null) {
            made.fabric().close();
        }
    }
}
