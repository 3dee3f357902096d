/** What a user's process sees of the engine. */
package io.teff.test.suite.engine;
