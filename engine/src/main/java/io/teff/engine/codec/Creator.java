package io.teff.engine.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the constructor or static method by which values of a class are made when they are read: the one with a
 * parameter for each field that is stored. Records need none.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.CONSTRUCTOR, ElementType.METHOD})
public @interface Creator {
    /**
     * Names of the fields, in the order of the parameters.
     *
     * @return the names; none if the class was compiled with {@code -parameters} and they are named like the fields
     */
    String[] value() default {};
}
