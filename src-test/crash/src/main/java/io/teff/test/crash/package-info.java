/**
 * Crashes of real processes: {@code ./teff crash} starts a JVM that works on a durable store with all its might, kills
 * it, starts it again, and compares.
 *
 * <p>The parent is {@link io.teff.test.crash.CrashRun}, the child {@link io.teff.test.crash.Worker}. What was
 * acknowledged is in the {@link io.teff.test.crash.Ledger}, a mapped file: what a thread has stored there is the
 * kernel's, in the order in which it was stored, however the process ends. Each change is written there twice, as an
 * intent before it begins and as acknowledged after its call has returned.
 */
package io.teff.test.crash;
