package io.teff.test.rules.architecture.planted.left;

import io.teff.test.rules.architecture.planted.right.Right;

/** One half of a planted cycle. */
public record Left(Right other) {}
