/**
 * Checks of arguments, and the exceptions for results that are not OK. Used by all other packages of the engine that
 * take arguments from an application.
 */
@NullMarked
package io.teff.engine.check;

import org.jspecify.annotations.NullMarked;
