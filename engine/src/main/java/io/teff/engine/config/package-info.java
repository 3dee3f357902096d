/**
 * Configuration of stores, and further values that an application passes to a store.
 *
 * <p>{@link io.teff.engine.config.StoreConfig} is the configuration that a store is opened with:
 * <pre>{@code
 * StoreConfig config = StoreConfig.builder()
 *     .name("graph")
 *     .memoryLimitBytes(8L << 30)
 *     .lockTimeoutNs(1_000_000_000L)
 *     .build();
 * try (Store store = Store.open(config)) {
 *     ...
 * }
 * }</pre>
 * All values have defaults, and each builder method rejects a value outside its range with
 * {@link java.lang.IllegalArgumentException}. {@link io.teff.engine.config.Limits} lists the ranges,
 * {@link io.teff.engine.config.DebugLevel} the levels of self-checks. {@link io.teff.engine.config.LockStep} is a
 * parameter of operations that take or release a lock in the same step. All classes are immutable, except the builder.
 */
@NullMarked
package io.teff.engine.config;

import org.jspecify.annotations.NullMarked;
