package io.teff.engine.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names that a field, the constant of an enum, or a subclass of a sealed type had in other versions of a program.
 * Values of such a version are read as if it had the present name.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface Formerly {
    /**
     * Former names; of a class, with the package or only the last part.
     *
     * @return the names, in any order
     */
    String[] value();
}
