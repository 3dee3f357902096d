package io.teff.test.bench.net;

/** Some nodes in this JVM that send messages of one length to each other, all in the same way. */
interface Nodes extends AutoCloseable {
    /** Sends from one node to another, for one thread. */
    interface Sender {
        /** Sends a message, and waits while there is no room for it. */
        void send() throws Exception;

        /** Sends a message and waits for one of the same length as the answer. */
        void request() throws Exception;
    }

    /**
     * Returns a sender.
     *
     * @param from number of a node
     * @param to number of another one
     * @return the sender, for one thread
     */
    Sender sender(int from, int to) throws Exception;

    /** {@return the number of messages received by handlers, without requests and answers} */
    long received();

    @Override
    void close();
}
