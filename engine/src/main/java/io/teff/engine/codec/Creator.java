package io.teff.engine.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the constructor or static factory method that makes values of a class when they are read. It has one parameter
 * for each stored field. Records do not need it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.CONSTRUCTOR, ElementType.METHOD})
public @interface Creator {
    /**
     * Names of the fields, in the order of the parameters.
     *
     * @return the names; empty if the class was compiled with {@code -parameters} and each parameter is named like its
     *     field
     */
    String[] value() default {};
}
