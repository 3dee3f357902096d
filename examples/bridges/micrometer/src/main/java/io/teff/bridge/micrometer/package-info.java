/**
 * The sizes and memory of a store and its collections as meters of Micrometer.
 *
 * <p><b>Promise.</b> A reading takes microseconds; no meter keeps a store from being collected; a closed store and a
 * dropped collection read as NaN. <b>Neighbours.</b> {@link io.teff.engine.report.StoreStats} defines the
 * figures. <b>Start here.</b> {@link io.teff.bridge.micrometer.StoreMetrics}; {@code docs/bridges/micrometer.md}
 * lists the meters.
 */
@NullMarked
package io.teff.bridge.micrometer;

import org.jspecify.annotations.NullMarked;
