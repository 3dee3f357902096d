/**
 * A starter of Spring Boot: a store as a bean.
 *
 * <p><b>Promise.</b> The properties {@code teff.*} choose the kind of the store. The context closes the store. Beans of
 * the application come first. Health and metrics exist if their libraries do.
 * <p><b>Neighbours.</b> Uses {@code io.teff.recovery}, and if an application has them, {@code io.teff.cluster} and
 * {@code io.teff.bridge.micrometer}. Read {@code TeffProperties} first.
 */
@NullMarked
package io.teff.bridge.spring;

import org.jspecify.annotations.NullMarked;
