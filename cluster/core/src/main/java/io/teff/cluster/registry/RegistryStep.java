package io.teff.cluster.registry;

import java.util.Arrays;

/**
 * A step of a registry. {@link StepCode} has the meaning of the numbers.
 *
 * @param code the code of the step
 * @param session number of the session, or 0
 * @param ticket slot of the session in the lowest 6 bits, and sequence above; 0 without a slot
 * @param first an argument
 * @param second an argument
 * @param third an argument
 * @param name of what is changed, or empty
 * @param value bytes, or none
 */
public record RegistryStep(int code, long session, long ticket, long first, long second, long third, String name,
                           byte[] value) {
    /** No bytes. */
    public static final byte[] NONE = {};

    /**
     * {@return a step without a session}
     *
     * @param code one of the codes of {@link StepCode}
     * @param first an argument
     * @param name a name, or empty
     */
    public static RegistryStep of(int code, long first, String name) {
        return new RegistryStep(code, 0, 0, first, 0, 0, name, NONE);
    }

    /**
     * {@return this step in a session}
     *
     * @param number of the session
     * @param with the ticket
     */
    public RegistryStep in(long number, long with) {
        return new RegistryStep(code, number, with, first, second, third, name, value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegistryStep it && code == it.code && session == it.session && ticket == it.ticket
            && first == it.first && second == it.second && third == it.third && name.equals(it.name)
            && Arrays.equals(value, it.value);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * code + Long.hashCode(session ^ ticket)) + Long.hashCode(first)) + name.hashCode();
    }
}
