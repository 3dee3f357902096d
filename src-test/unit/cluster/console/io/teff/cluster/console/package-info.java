/** Tests of the console. */
package io.teff.cluster.console;
