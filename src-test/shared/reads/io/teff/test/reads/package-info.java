/**
 * Two processes and one store: an owner that changes and removes chunks, and a reader that checks each byte of what it
 * reads. Compiled into the tests of the module of one-sided reads, and into those of the guest with devices.
 */
package io.teff.test.reads;
