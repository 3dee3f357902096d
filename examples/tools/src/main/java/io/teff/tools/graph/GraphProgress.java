package io.teff.tools.graph;

import io.teff.graph.work.WorkWatch;
import io.teff.tools.console.Figures;

/** The last progress that a step has reported, as a line for people. */
final class GraphProgress implements WorkWatch {
    private static final double HUNDRED = 100;

    private volatile State state = new State("opening the store", 0, -1);

    private record State(String step, long done, long total) {}

    @Override
    public void at(String step, long done, long total) {
        state = new State(step, done, total);
    }

    String line() {
        State now = state;
        return now.total() > 0
            ? Figures.text("graph  %s  %3.0f %%", now.step(), HUNDRED * now.done() / now.total())
            : Figures.text("graph  %s  %s", now.step(), now.done() == 0 ? "" : Figures.count(now.done()));
    }
}
