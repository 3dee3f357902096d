package io.teff.test.suite.architecture.planted.right;

import io.teff.test.suite.architecture.planted.left.Left;

/** The other half of a planted cycle. */
public record Right(Left other) {}
