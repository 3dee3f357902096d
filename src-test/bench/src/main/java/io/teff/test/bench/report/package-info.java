/**
 * Figures of all sessions, as text, JSON and pictures. {@link io.teff.test.bench.report.Comparison} has them.
 */
package io.teff.test.bench.report;
