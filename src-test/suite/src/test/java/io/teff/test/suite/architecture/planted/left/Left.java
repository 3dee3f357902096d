package io.teff.test.suite.architecture.planted.left;

import io.teff.test.suite.architecture.planted.right.Right;

/** One half of a planted cycle. */
public record Left(Right other) {}
