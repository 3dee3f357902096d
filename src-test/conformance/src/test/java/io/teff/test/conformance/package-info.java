/**
 * Runs tests of other projects for the contracts of {@code java.util} against the collections in chunks: those of Guava
 * and of Apache Commons Collections.
 */
package io.teff.test.conformance;
