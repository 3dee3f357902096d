package io.teff.rdma.ucx.worker;

import io.teff.rdma.ucx.UcxFeature;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How a context is opened. Immutable, made by a {@link Builder}.
 *
 * @param features what the context is used for; at least one
 * @param settings variables of UCX by name, without the prefix {@code UCX_}, in the order of the program
 * @param name of the context in messages of UCX; empty for none
 * @param endpointCount expected endpoints; the number influences the choice of transports; 0: unknown
 * @param tagSenderMask bits of a tag that name the sender, as a help for matching in hardware; 0: none
 * @param closeTimeout how long the close of an endpoint or a worker waits for operations under way
 */
public record UcxConfig(Set<UcxFeature> features, Map<String, String> settings, String name, long endpointCount,
        long tagSenderMask, Duration closeTimeout) {
    /** The close timeout unless one is set. */
    public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    /**
     * The variable of UCX for the time between its looks for dead peers, such as {@code 1s}. It is {@code inf} unless
     * it is {@linkplain Builder#set set}; the environment variable does not count. UCX 1.13 ends the process if a look
     * happens while UCX cannot connect back to a peer that has called and is gone. Sockets report the end of a peer
     * without it; shared memory does not.
     */
    public static final String DEATH_WATCH = "KEEPALIVE_INTERVAL";
    /** The value of {@link #DEATH_WATCH} with which UCX does not look. */
    static final String NEVER = "inf";
    /** The longest close timeout. */
    public static final Duration CLOSE_TIMEOUT_MAX = Duration.ofMinutes(5);

    /** Checks the values, and copies the collections. */
    public UcxConfig {
        if (features.isEmpty()) {
            throw new IllegalArgumentException("features are empty");
        }
        if (endpointCount < 0) {
            throw new IllegalArgumentException("endpointCount=" + endpointCount);
        }
        if (closeTimeout.isNegative() || closeTimeout.compareTo(CLOSE_TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException("closeTimeout=" + closeTimeout);
        }
        features = Set.copyOf(features);
        settings = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /**
     * Begins a configuration.
     *
     * @param features what the context is used for
     * @return with these features and nothing else
     */
    public static Builder builder(UcxFeature... features) {
        return new Builder(features);
    }

    /** Returns the bits of all features. */
    long featureBits() {
        long bits = 0;
        for (UcxFeature feature : features) {
            bits |= feature.bit();
        }
        return bits;
    }

    /** Collects the values of a configuration. Not thread-safe. */
    public static final class Builder {
        private final Set<UcxFeature> features = EnumSet.noneOf(UcxFeature.class);
        private final Map<String, String> settings = new LinkedHashMap<>();
        private String name = "";
        private long endpointCount;
        private long tagSenderMask;
        private Duration closeTimeout = CLOSE_TIMEOUT;

        private Builder(UcxFeature... features) {
            this.features.addAll(Set.of(features));
        }

        /**
         * Sets a variable of UCX for this context, such as {@code TLS}, which names the transports. It overrides the
         * environment variable.
         *
         * @param variable its name without the prefix {@code UCX_}
         * @param value in UCX's notation
         * @return this builder
         */
        public Builder set(String variable, String value) {
            settings.put(variable, value);
            return this;
        }

        /**
         * Sets the name of the context in messages of UCX.
         *
         * @param newName any text
         * @return this builder
         */
        public Builder name(String newName) {
            name = newName;
            return this;
        }

        /**
         * Sets how many endpoints are going to be made.
         *
         * @param count 0: unknown
         * @return this builder
         */
        public Builder endpointCount(long count) {
            endpointCount = count;
            return this;
        }

        /**
         * Sets the bits of a tag that name the sender.
         *
         * @param mask 0: none
         * @return this builder
         */
        public Builder tagSenderMask(long mask) {
            tagSenderMask = mask;
            return this;
        }

        /**
         * Sets how long a close waits for operations under way.
         *
         * @param timeout 0 to {@link UcxConfig#CLOSE_TIMEOUT_MAX}
         * @return this builder
         */
        public Builder closeTimeout(Duration timeout) {
            closeTimeout = timeout;
            return this;
        }

        /**
         * Returns the configuration.
         *
         * @return an immutable value
         * @throws IllegalArgumentException if a value is out of its range
         */
        public UcxConfig build() {
            return new UcxConfig(features, settings, name, endpointCount, tagSenderMask, closeTimeout);
        }
    }
}
