/** Tests of the engine in processes of its users. */
package io.teff.test.rules.engine;
