package io.teff.recovery;

import io.teff.engine.journal.Journal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A journal whose changes return before they are done, as those of a thread that submits changes. */
final class UnawaitedJournal {
    private UnawaitedJournal() {}

    /** Returns a journal that does everything as the given one does, but does not wait at the end of a change. */
    static Journal of(Journal journal) {
        return (Journal) Proxy.newProxyInstance(Journal.class.getClassLoader(), new Class<?>[] {Journal.class},
            (_, method, arguments) -> {
                if (method.getName().equals("done")) {
                    return null;
                }
                try {
                    return method.invoke(journal, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }
}
