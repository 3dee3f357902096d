/** Tests of the contracts of {@code java.util} that other projects keep, run against the collections in chunks. */
package io.teff.test.conformance;
