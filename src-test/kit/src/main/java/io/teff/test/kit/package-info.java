/** What tests of all modules share: forms and seeds of tests, threads and waiting, content, child processes. */
package io.teff.test.kit;
