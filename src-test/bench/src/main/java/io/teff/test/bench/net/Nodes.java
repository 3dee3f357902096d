package io.teff.test.bench.net;

/** Some nodes in this JVM that send messages of one length to each other, all in the same way. */
interface Nodes extends AutoCloseable {
    /** The way from one node to another for one thread. */
    interface Sender {
        /** Sends a message, and waits while there is no room for it. */
        void send() throws Exception;

        /** Sends a message and waits for one of the same length as the answer. */
        void request() throws Exception;
    }

    /**
     * A way.
     *
     * @param from number of a node
     * @param to number of another one
     * @return for one thread
     */
    Sender sender(int from, int to) throws Exception;

    /** {@return how many messages handlers have seen, without requests and answers} */
    long received();

    @Override
    void close();
}
