/**
 * Shared parts of the tests of all modules: forms and seeds of tests, threads and waiting, content, child processes.
 */
package io.teff.test.kit;
