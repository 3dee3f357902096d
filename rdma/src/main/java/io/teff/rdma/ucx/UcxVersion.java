package io.teff.rdma.ucx;

/**
 * A version of UCX.
 *
 * @param major such as 1; the binding needs 1
 * @param minor such as 13; the binding needs 13 or more
 * @param release such as 1
 */
public record UcxVersion(int major, int minor, int release) {
    /** The major version whose interface the binding has. UCX keeps it compatible. */
    public static final int MAJOR = 1;
    /** The oldest minor version with all functions and fields of the binding. */
    public static final int MINOR_MIN = 13;

    /** {@return whether the binding works with this version} */
    public boolean isSupported() {
        return major == MAJOR && minor >= MINOR_MIN;
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + release;
    }
}
