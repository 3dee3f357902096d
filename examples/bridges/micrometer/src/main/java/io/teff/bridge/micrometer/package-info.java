/**
 * What a store and its collections take, as meters of Micrometer.
 *
 * <p><b>Promise.</b> A reading takes microseconds; no meter keeps a store from being collected; a closed store and a
 * dropped collection read as NaN. <b>Neighbours.</b> {@link io.teff.engine.report.StoreStats} says what the
 * figures mean. <b>Start here.</b> {@link io.teff.bridge.micrometer.StoreMetrics}; {@code docs/bridges/micrometer.md}
 * lists the meters.
 */
@NullMarked
package io.teff.bridge.micrometer;

import org.jspecify.annotations.NullMarked;
