package io.teff.rdma;

/**
 * A missing native library, or a missing function of a native library. The message says what to install.
 *
 * <p>Thrown by the first call that needs the library, never while a class is loaded. After the installation the JVM
 * must be started again.
 */
public final class RdmaUnavailableException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** The file name of the library. */
    private final String library;
    /** The Debian package of the library. */
    private final String debianPackage;

    /**
     * Creates the failure.
     *
     * @param library the library's file name, such as {@code libibverbs.so.1}
     * @param debianPackage the package of Debian and Ubuntu that has the library
     * @param reason half a sentence with the missing part
     */
    public RdmaUnavailableException(String library, String debianPackage, String reason) {
        super(library, reason + "; on Debian and Ubuntu: apt-get install " + debianPackage);
        this.library = library;
        this.debianPackage = debianPackage;
    }

    /** {@return the file name of the library} */
    public String library() {
        return library;
    }

    /** {@return the package of Debian and Ubuntu that has the library} */
    public String debianPackage() {
        return debianPackage;
    }
}
