package io.teff.cluster.archive;

import io.teff.cluster.service.ClusterNames;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The names of a cluster without nodes. A process that changes a name may be killed before or after. One thread. */
final class NamesInMemory {
    private final Map<String, ClusterNames.Entry> entries = new TreeMap<>();
    private long revision;

    /** Returns whether there are no names. */
    boolean isEmpty() {
        return entries.isEmpty();
    }

    private long version(String name) {
        ClusterNames.Entry known = entries.get(name);
        return known == null ? ClusterNames.ABSENT : known.version();
    }

    private long putIf(String name, byte[] value, long version) {
        if (version(name) != version) {
            return -1 - version(name);
        }
        entries.put(name, new ClusterNames.Entry(name, value, ++revision, false, false));
        return revision;
    }

    private boolean removeIf(String name, long version) {
        return version(name) == version && entries.remove(name) != null;
    }

    /** Returns the names as a process sees the names. */
    ClusterNames of(KillPoint process) {
        return (ClusterNames) Proxy.newProxyInstance(ClusterNames.class.getClassLoader(),
            new Class<?>[] {ClusterNames.class}, (_, method, words) -> {
                if (method.getName().equals("get")) {
                    return Optional.ofNullable(entries.get((String) words[0]));
                }
                process.pass();
                Object result = switch (method.getName()) {
                    case "putIf" -> putIf((String) words[0], (byte[]) words[1], (long) words[2]);
                    case "removeIf" -> removeIf((String) words[0], (long) words[1]);
                    default -> throw new UnsupportedOperationException(method.getName());
                };
                process.pass();
                return result;
            });
    }
}
