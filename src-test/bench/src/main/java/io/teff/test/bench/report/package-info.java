/**
 * Figures of all sessions, as text, JSON and pictures. {@link io.teff.test.bench.report.Rounds} has them, for the
 * stores as a {@link io.teff.test.bench.report.Comparison}.
 */
package io.teff.test.bench.report;
