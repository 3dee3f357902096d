/** A cluster inside of the process of a test, for tests that run on each kind of store. */
package io.teff.test.clusters;
