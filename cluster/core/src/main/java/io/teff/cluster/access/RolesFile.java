package io.teff.cluster.access;

import io.teff.cluster.config.ByteSize;
import io.teff.cluster.config.Secret;
import io.teff.cluster.config.SecretFiles;
import io.teff.cluster.net.config.CertificateName;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of roles: a small part of TOML. A section is a principal, each line a key with a text, a number, or a
 * list of texts in one line. Used once.
 */
final class RolesFile {
    /** More principals would make each wrong proof dear. */
    static final int PRINCIPALS_MAX = 256;
    private static final int BYTES_MAX = 1 << 20;
    private static final Pattern SECTION = Pattern.compile("\\[([A-Za-z0-9][A-Za-z0-9._-]{0,63})]");
    private static final Pattern LINE = Pattern.compile("([a-z-]+)\\s*=\\s*(.+)");
    private static final Pattern TEXT = Pattern.compile("\"([^\"\\\\]*)\"|(\\d+)|(true)");
    private static final Pattern LIST = Pattern.compile("\\[\\s*((\"[^\"\\\\]*\"\\s*,?\\s*)*)]");
    private static final Set<String> KEYS = Set.of("roles", "token-file", "certificate", "collections", "chunks",
        "services", "requests-per-second", "bytes-per-second", "open-requests");

    private final Path file;
    private final Clock clock;
    private final Map<String, Map<String, List<String>>> sections = new LinkedHashMap<>();

    private RolesFile(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    /**
     * Reads a file.
     *
     * @param secret of the cluster, which no principal may have as token
     * @throws IOException if the file or a token cannot be read, or breaks a rule; the message names the line
     */
    static RoleTable read(Path file, SecretFiles secret, Clock clock) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new FileSystemException(file.toString(), null, "has more than " + BYTES_MAX + " bytes");
        }
        final byte[] bytes = Files.readAllBytes(file);
        final RolesFile reading = new RolesFile(file, clock);
        reading.parse(new String(bytes, StandardCharsets.UTF_8));
        final Map<String, Principal> principals = new HashMap<>();
        final Set<ByteBuffer> tokens = new HashSet<>();
        secret.accepted().forEach(each -> tokens.add(ByteBuffer.wrap(each.bytes())));
        for (Map.Entry<String, Map<String, List<String>>> section : reading.sections.entrySet()) {
            final Principal principal = reading.principal(section.getKey(), section.getValue());
            principals.put(principal.name(), principal);
            final SecretFiles token = principal.token();
            for (Secret each : token == null ? List.<Secret>of() : token.accepted()) {
                if (!tokens.add(ByteBuffer.wrap(each.bytes()))) {
                    throw reading.fault(principal.name(), "has the token of another principal, or of nodes");
                }
            }
        }
        return new RoleTable(principals, RoleTable.digest(bytes));
    }

    private FileSystemException fault(String place, String what) {
        return new FileSystemException(file.toString(), null, place + ": " + what);
    }

    // ---- lines ----

    private void parse(String text) throws IOException {
        Map<String, List<String>> section = null;
        int number = 0;
        for (String raw : text.lines().toList()) {
            final String place = "line " + ++number;
            final String line = raw.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            final Matcher head = SECTION.matcher(line);
            if (head.matches()) {
                section = new HashMap<>();
                if (sections.put(head.group(1), section) != null || sections.size() > PRINCIPALS_MAX) {
                    throw fault(place, "the principal is there twice, or there are more than " + PRINCIPALS_MAX);
                }
                continue;
            }
            final Matcher pair = LINE.matcher(line);
            if (section == null || !pair.matches() || !KEYS.contains(pair.group(1))) {
                throw fault(place, "is neither [PRINCIPAL] nor KEY = VALUE with one of the keys " + sorted());
            }
            if (section.put(pair.group(1), values(place, pair.group(2).strip())) != null) {
                throw fault(place, pair.group(1) + " is there twice");
            }
        }
    }

    private static List<String> sorted() {
        return KEYS.stream().sorted().toList();
    }

    private List<String> values(String place, String text) throws IOException {
        final Matcher single = TEXT.matcher(text);
        if (single.matches()) {
            return List.of(single.group().replace("\"", ""));
        }
        final Matcher list = LIST.matcher(text);
        if (!list.matches()) {
            throw fault(place, "the value is no \"text\", number, true, or list of texts in one line");
        }
        final List<String> values = new ArrayList<>();
        for (Matcher each = TEXT.matcher(list.group(1)); each.find(); ) {
            values.add(each.group(1));
        }
        return values;
    }

    // ---- principals ----

    private Principal principal(String name, Map<String, List<String>> of) throws IOException {
        final Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String each : of.getOrDefault("roles", List.of())) {
            roles.add(role(name, each));
        }
        if (roles.isEmpty() || !of.containsKey("token-file") && !of.containsKey("certificate")) {
            throw fault(name, "needs roles, and token-file or certificate");
        }
        final NameList collections = names(of.get("collections"));
        final boolean hasChunks = collections.isAll() || of.containsKey("chunks");
        return new Principal(name, roles, Principal.rights(roles, hasChunks), collections, names(of.get("services")),
            number(name, of, "requests-per-second"), number(name, of, "bytes-per-second"),
            (int) Math.min(number(name, of, "open-requests"), Integer.MAX_VALUE), token(name, of),
            certificate(name, of));
    }

    private static NameList names(@Nullable List<String> patterns) {
        return patterns == null ? NameList.ALL : new NameList(List.copyOf(patterns));
    }

    private Role role(String name, String text) throws IOException {
        for (Role role : Role.values()) {
            if (role.name().toLowerCase(Locale.ROOT).equals(text)) {
                return role;
            }
        }
        throw fault(name, '"' + text + "\" is no role; roles: reader, writer, operator, admin");
    }

    private String single(String name, Map<String, List<String>> of, String key) throws IOException {
        final List<String> values = of.getOrDefault(key, List.of());
        if (values.size() != 1) {
            throw fault(name, key + " needs one value");
        }
        return values.getFirst();
    }

    private long number(String name, Map<String, List<String>> of, String key) throws IOException {
        if (!of.containsKey(key)) {
            return 0;
        }
        final long number = ByteSize.parse(single(name, of, key));
        if (number <= 0) {
            throw fault(name, key + " is no number from 1, such as 500 or \"20m\"");
        }
        return number;
    }

    private @Nullable SecretFiles token(String name, Map<String, List<String>> of) throws IOException {
        return !of.containsKey("token-file") ? null : SecretFiles.read(
            file.toAbsolutePath().resolveSibling(single(name, of, "token-file")), clock);
    }

    private @Nullable CertificateName certificate(String name, Map<String, List<String>> of) throws IOException {
        if (!of.containsKey("certificate")) {
            return null;
        }
        try {
            return new CertificateName(single(name, of, "certificate"));
        } catch (IllegalArgumentException e) {
            throw fault(name, FailureText.of(e));
        }
    }
}
