/** A cluster of processes whose peers are killed under load, and a history of each chunk. */
package io.teff.test.suite.kills;
