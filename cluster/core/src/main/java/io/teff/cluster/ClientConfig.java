package io.teff.cluster;

import io.teff.cluster.config.Address;
import io.teff.cluster.config.Secret;
import io.teff.cluster.config.SecretFiles;
import io.teff.cluster.config.Tls;
import io.teff.cluster.config.TlsPlaces;
import io.teff.cluster.meta.MachineState.Settings;
import io.teff.cluster.net.config.CertificateName;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The configuration of a client. Immutable; made by a {@link Builder}. */
public final class ClientConfig {
    private final List<String> superpeers;
    private final String cluster;
    private final Supplier<byte[]> secret;
    private final @Nullable SSLContext tls;
    private final String superpeerName;
    private final WriteLevel level;
    private final long timeoutNs;
    private final long lockTimeoutNs;
    private final long lockLeaseNs;
    private final long spinNs;

    private ClientConfig(Builder values) {
        superpeers = values.superpeers;
        cluster = values.cluster;
        secret = values.secret;
        tls = values.tls;
        superpeerName = values.superpeerName;
        level = values.level;
        timeoutNs = values.timeoutNs;
        lockTimeoutNs = values.lockTimeoutNs;
        lockLeaseNs = values.lockLeaseNs;
        spinNs = values.spinNs;
    }

    /**
     * Begins a configuration.
     *
     * @param superpeers addresses of superpeers in any order, all or some superpeers, for example
     *     {@code tcp:127.0.0.1:7400}: the first superpeer with an answer names all superpeers. Addresses without a
     *     transport are TCP addresses
     * @return a builder with defaults
     * @throws IllegalArgumentException if there is no address, more than 5 addresses, or a text that is no address
     */
    public static Builder builder(String... superpeers) {
        return new Builder(List.of(superpeers));
    }

    /** {@return the addresses of superpeers that the builder was given} */
    public List<String> superpeers() {
        return superpeers;
    }

    /** {@return the name of the cluster; empty for any cluster} */
    public String cluster() {
        return cluster;
    }

    /** {@return a copy of the cluster's secret; empty for none} */
    public byte[] secret() {
        return secret.get().clone();
    }

    /** {@return the context of TLS; null for none} */
    public @Nullable SSLContext tls() {
        return tls;
    }

    /** {@return the name that the certificates of superpeers must have; empty for any certificate} */
    public String superpeerName() {
        return superpeerName;
    }

    /** {@return the level at which changes are acknowledged} */
    public WriteLevel level() {
        return level;
    }

    /** {@return nanoseconds within which each call ends} */
    public long timeoutNs() {
        return timeoutNs;
    }

    /** {@return nanoseconds for which an operation waits for a lock of others} */
    public long lockTimeoutNs() {
        return lockTimeoutNs;
    }

    /** {@return the lease of locks in nanoseconds} */
    public long lockLeaseNs() {
        return lockLeaseNs;
    }

    /** {@return nanoseconds that the network's thread spins before it sleeps} */
    public long spinNs() {
        return spinNs;
    }

    /** {@return the addresses and settings, for people; without the secret} */
    @Override
    public String toString() {
        return "ClientConfig[" + superpeers + ", " + level + ", " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms"
            + (secret.get().length == 0 ? "" : ", a secret") + (tls == null ? "" : ", TLS") + ']';
    }

    /** Collects the settings, in place of their defaults. */
    public static final class Builder {
        private static final String LOOP = "loop:";

        private final List<String> superpeers;
        private String cluster = "";
        private Supplier<byte[]> secret = Secret.NONE::bytes;
        private @Nullable SSLContext tls;
        private String superpeerName = "";
        private WriteLevel level = WriteLevel.BACKED;
        private long timeoutNs = TimeUnit.SECONDS.toNanos(30);
        private long lockTimeoutNs = TimeUnit.SECONDS.toNanos(10);
        private long lockLeaseNs = TimeUnit.SECONDS.toNanos(10);
        private long spinNs;

        private Builder(List<String> superpeers) {
            if (superpeers.isEmpty() || superpeers.size() > Settings.SUPERPEERS_MAX) {
                throw new IllegalArgumentException(superpeers.size() + " superpeers are not 1 to "
                    + Settings.SUPERPEERS_MAX);
            }
            this.superpeers = superpeers.stream().map(Builder::link).toList();
        }

        /** Returns the address with its transport: TCP if the address has no transport. */
        private static String link(String text) {
            if (text.indexOf(':') <= 0) {
                throw new IllegalArgumentException("\"" + text + "\" is no address; allowed: HOST:PORT, or with a "
                    + "transport in front, such as tcp:HOST:PORT");
            }
            Address address = text.startsWith(LOOP) ? null : Address.parse(text);
            return address == null ? text : address.link();
        }

        /**
         * Sets the name of the cluster, as {@code node.cluster} in the configuration of the nodes: the client takes no
         * cluster of another name, and no cluster without a name.
         *
         * @param name 1 to 32 letters or digits of ASCII, dots, hyphens or underscores; empty, the default, for any
         *     cluster. In either case the client stays with the first cluster that it has met
         * @return this
         * @throws IllegalArgumentException if the name has other characters, or is longer
         */
        public Builder cluster(String name) {
            cluster = ClusterId.expected(name).name();
            return this;
        }

        /**
         * Sets the cluster's secret. Line feeds at the end do not count, as in the file of a node.
         *
         * @param bytes the secret, 16 to 4096 bytes, copied; empty, the default, for no secret
         * @return this
         * @throws IllegalArgumentException if the secret is shorter, longer or all zeros
         */
        public Builder secret(byte[] bytes) {
            try {
                secret = Secret.of(bytes)::bytes;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("the secret " + FailureText.of(e), e);
            }
            return this;
        }

        /**
         * Sets the cluster's secret, or the token of a principal, from a file as in the configuration of a node. The
         * client looks at the file again, so that a secret can be replaced while the client runs.
         *
         * @param file with the secret: 16 to 4096 bytes, unreadable by other users; line feeds at the end do not
         *     count
         * @return this
         * @throws IOException if the file cannot be read, is too short or too long, or is readable by other users; the
         *     message names the fault
         */
        public Builder secret(Path file) throws IOException {
            final SecretFiles files = SecretFiles.read(file);
            secret = () -> files.used().bytes();
            return this;
        }

        /**
         * Sets a source of the secret, which may change while the client runs: each new connection asks.
         *
         * @param source returns a secret; must not wait or throw
         * @return this
         */
        public Builder secrets(Supplier<byte[]> source) {
            secret = source;
            return this;
        }

        /**
         * Encrypts all connections with TLS 1.3.
         *
         * @param context has the client's key and certificate, and the trusted authorities
         * @return this
         */
        public Builder tls(SSLContext context) {
            tls = Objects.requireNonNull(context, "context");
            return this;
        }

        /**
         * Encrypts all connections with TLS 1.3, with files as in the configuration of a node. New files in the same
         * places are taken for new connections within some ten seconds.
         *
         * @param key PEM file with the client's private key: PKCS#8, without a password, unreadable by other users
         * @param certificate PEM file with the certificate of the key, followed by the certificates up to an authority
         * @param authority PEM file with the certificates of the authorities of trusted nodes
         * @return this
         * @throws IOException if a file cannot be read, the files do not belong together, or the certificate has
         *     expired; the message names the fault
         */
        public Builder tls(Path key, Path certificate, Path authority) throws IOException {
            Tls read = Tls.read(new TlsPlaces(key, certificate, authority));
            return tls(Objects.requireNonNull(read.context(), "context"));
        }

        /**
         * Sets the name in the certificates of superpeers, as {@code cluster.tls-superpeer-name} in the configuration
         * of the nodes: the client takes no answer from a superpeer whose certificate lacks the name.
         *
         * @param name a DNS name or URI, which the certificates of superpeers have as subject alternative name; empty,
         *     the default, for any trusted certificate
         * @return this
         * @throws IllegalArgumentException if the text is no such name
         */
        public Builder superpeerName(String name) {
            superpeerName = name.isEmpty() ? name : new CertificateName(name).text();
            return this;
        }

        /**
         * Sets the level at which changes are acknowledged.
         *
         * @param writeLevel the level; by default {@link WriteLevel#BACKED}
         * @return this
         */
        public Builder level(WriteLevel writeLevel) {
            level = Objects.requireNonNull(writeLevel, "writeLevel");
            return this;
        }

        /**
         * Sets the deadline of each call.
         *
         * @param ns nanoseconds, 1 ms to 1 hour; by default 30 s
         * @return this
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder timeoutNs(long ns) {
            if (ns < TimeUnit.MILLISECONDS.toNanos(1) || ns > TimeUnit.HOURS.toNanos(1)) {
                throw new IllegalArgumentException("timeoutNs=" + ns + " is not in 1 ms to 1 h");
            }
            timeoutNs = ns;
            return this;
        }

        /**
         * Sets how long an operation waits for a lock of another thread or client, before the operation returns LOCKED.
         * The deadline of the call ends the wait, too.
         *
         * @param ns nanoseconds, from 0, which means a single attempt; by default 10 s
         * @return this
         * @throws IllegalArgumentException if the time is negative
         */
        public Builder lockTimeoutNs(long ns) {
            if (ns < 0) {
                throw new IllegalArgumentException("lockTimeoutNs=" + ns + " is negative");
            }
            lockTimeoutNs = ns;
            return this;
        }

        /**
         * Sets the lease of locks: a lock ends if the owner of the locked chunk has not heard from this client for the
         * lease. The client renews the lock three times in a lease. A longer lease survives longer pauses of the
         * client, and keeps the chunk locked for longer after the client was killed.
         *
         * @param ns nanoseconds, 200 ms to 1 hour; by default 10 s
         * @return this
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder lockLeaseNs(long ns) {
            if (ns < TimeUnit.MILLISECONDS.toNanos(200) || ns > TimeUnit.HOURS.toNanos(1)) {
                throw new IllegalArgumentException("lockLeaseNs=" + ns + " is not in 200 ms to 1 h");
            }
            lockLeaseNs = ns;
            return this;
        }

        /**
         * Sets how long the network's thread without work spins before sleeping. Spinning makes answers faster, and
         * occupies a processor.
         *
         * @param ns nanoseconds, from 0; 0, the default, for not at all
         * @return this
         * @throws IllegalArgumentException if the time is negative
         */
        public Builder spinNs(long ns) {
            if (ns < 0) {
                throw new IllegalArgumentException("spinNs=" + ns + " is negative");
            }
            spinNs = ns;
            return this;
        }

        /**
         * Ends the configuration.
         *
         * @return the configuration
         * @throws IllegalArgumentException if there is a name of superpeers and no TLS
         */
        public ClientConfig build() {
            if (tls == null && !superpeerName.isEmpty()) {
                throw new IllegalArgumentException("superpeerName=" + superpeerName + " needs tls");
            }
            return new ClientConfig(this);
        }
    }
}
