package io.teff.cluster.peer;

import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.operation.ZoneHost;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Disk;

/** The places of a simulated cluster where a fault can be planted. This base class plants none. */
class Plant {
    /** Changes the terms that peers go by. */
    LeaseTerms peerTerms(LeaseTerms its) {
        return its;
    }

    /** Changes a heartbeat of a peer. */
    Heartbeat heartbeat(Heartbeat its) {
        return its;
    }

    /** Wraps what operations see of a peer. */
    ZoneHost host(SimPeer peer, ZoneHost its) {
        return its;
    }

    /** Changes the log of a peer. */
    MemoryCopyLog log(MemoryCopyLog its) {
        return its;
    }

    /** Wraps the journal of a real store. */
    Journal journal(Journal its) {
        return its;
    }

    /** Wraps the disk that a process of a peer with a real log opens. */
    Disk disk(Disk its) {
        return its;
    }

    /** Wraps the real log of a process. */
    CopyLog copyLog(SimPeer peer, CopyLog its) {
        return its;
    }

    /** Changes a run or an answer before it leaves. */
    byte[] sent(SimPeer from, int to, boolean isRun, byte[] message) {
        return message;
    }

    /** Changes a run or an answer before it is handled. */
    byte[] arrived(SimPeer to, int from, boolean isRun, byte[] message) {
        return message;
    }

    /** Changes a request before it is executed. */
    byte[] requested(byte[] request) {
        return request;
    }

    /** Changes the answer of an operation. */
    byte[] answered(byte[] request, byte[] answer) {
        return answer;
    }

    /** Changes the answer that a client is given for a request. */
    byte[] given(byte[] request, byte[] answer) {
        return answer;
    }

    /** A session with a node was lost, and perhaps messages with it. */
    void lost(SimPeer at, int nid) {
        at.lost(nid);
    }

    /** A link of a peer with a node was made. */
    void linked(SimPeer at, int nid) {}

    /** Handles a message that a network has brought to a peer. */
    void handle(SimPeer at, int from, Runnable handling) {
        handling.run();
    }

    /** Changes from whom a message with runs or answers seems to be. */
    int sender(SimPeer at, int from, boolean isRun) {
        return from;
    }

    /** Called after each look of a peer at its tables. */
    void cycled(PeerCore core) {}

    /** Called when a peer has begun to serve a zone, before the first operation. */
    void served(SimPeer peer, int zone) {}

    /** Whether a recording reads a chunk and takes the number of what it has read in one step. */
    boolean isRecordedAtOnce() {
        return true;
    }

    /** Whether a restarted process goes on with its former life. */
    boolean isSameLife() {
        return false;
    }

    /** Whether peers see by the wall clock that their machine was asleep. */
    boolean seesSleep() {
        return true;
    }

    /** Whether a superpeer that starts waits for the end of the promises of its earlier life. */
    boolean isSilentAtStart() {
        return true;
    }

    /** Changes for how long a client counts on its session of services after a sign of life. */
    long heldNs(long its) {
        return its;
    }

    /** Changes how old a copy of a near cache may be. */
    long copyNs(long its) {
        return its;
    }

    /** Whether a change of a client ends its copy of the entry. */
    boolean endsCopies() {
        return true;
    }

    /** Replaces the metadata after a command. */
    MetadataMachine applied(MetadataMachine machine, Command command) {
        return machine;
    }
}
