package io.teff.test.rules.architecture.planted.right;

import io.teff.test.rules.architecture.planted.left.Left;

/** The other half of a planted cycle. */
public record Right(Left other) {}
