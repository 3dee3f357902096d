/**
 * Memory-order tests: two or three actors race on one state, and every outcome is named as allowed or forbidden.
 *
 * <p><b>Promise.</b> A good test allows only what the code under test promises. Its <i>weakened twin</i>, a class whose
 * name ends with {@code WeakenedTwin}, is the same test with one ordering taken away, and allows the same outcomes;
 * it must fail, which shows that the good test is able to fail. {@link io.teff.test.jcstress.Lane} runs both kinds
 * and is red when either behaves like the other.
 *
 * <p><b>Neighbours.</b> Runs on the class path, hence it reaches the engine's internal packages.
 */
package io.teff.test.jcstress;
