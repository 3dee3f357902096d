/**
 * Crashes of real processes: {@code ./teff crash} starts a JVM that works on a durable store at full load, kills it,
 * starts it again, and compares.
 *
 * <p>The parent is {@link io.teff.test.crash.CrashRun}, the child {@link io.teff.test.crash.Worker}. Acknowledged
 * changes are in the {@link io.teff.test.crash.Ledger}, a mapped file: the stores of a thread belong to the kernel, in
 * program order, however the process ends. Each change is recorded there twice, as an intent before it begins and as
 * acknowledged after its call has returned.
 */
package io.teff.test.crash;
