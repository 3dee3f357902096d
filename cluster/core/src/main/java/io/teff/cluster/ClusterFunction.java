package io.teff.cluster;

/**
 * A function of one entry of a map, which the owner of the entry runs: a registered function. Peers find the
 * implementations with {@link java.util.ServiceLoader} on their own class path or module path, at the first call of a
 * function. Clients call a function by its name, through {@link ClusterStore#functions()}.
 * <pre>
 *  public final class Bid implements ClusterFunction {
 *      public String name() {
 *          return "bid/1";
 *      }
 *
 *      public void call(FunctionEntry entry) {
 *          byte[] highest = entry.value();
 *          if (highest == null || Arrays.compareUnsigned(entry.argument(), highest) &gt; 0) {
 *              entry.put(entry.argument());
 *              entry.result("highest".getBytes());
 *          }
 *      }
 *  }
 * </pre>
 *
 * <p><b>Once.</b> A call takes effect once, as each change of a cluster. The log of the owner has the new value and the
 * result, never the call: so another owner never runs the function again for a call that was acknowledged.
 *
 * <p><b>Rules.</b> Threads run a function at the same time for different entries. Other changes of the entry and of
 * some other entries wait until the function returns, so a function ends soon and waits for nothing. A function uses no
 * store, and no state besides the entry and the argument. A function that takes longer than {@link #LIMIT_NS} has
 * failed. A function that throws has failed. A function that has failed leaves the entry as it was.
 *
 * <p><b>Names.</b> While a program changes, old and new peers have functions of one name at the same time. So a name
 * has a version, as {@code bid/1}.
 */
public interface ClusterFunction {
    /** Most bytes of a name in UTF-8. */
    int NAME_BYTES_MAX = 100;
    /** Most bytes of an argument: 64 KiB. */
    int ARGUMENT_BYTES_MAX = 64 << 10;
    /** Most bytes of a result: a result is kept until the next call in its place, for calls that are sent again. */
    int RESULT_BYTES_MAX = 1024;
    /** Longest time of a function in nanoseconds: 2 s. A longer function changes nothing. */
    long LIMIT_NS = 2_000_000_000L;

    /** {@return the name, of 1 to {@value #NAME_BYTES_MAX} bytes; the same at each call} */
    String name();

    /**
     * Computes the change of an entry.
     *
     * @param entry the entry, which also takes the result for the caller
     */
    void call(FunctionEntry entry);
}
