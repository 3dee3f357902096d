package io.teff.cluster.superpeer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.teff.cluster.access.Right;
import io.teff.cluster.access.Role;
import io.teff.cluster.meta.Command;
import io.teff.cluster.registry.StepCode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each command, and each step of services, with each role. */
final class CellRightsTest {
    /** Roles that may propose a command; all commands that are missing here are those of nodes. */
    private static final Map<String, Set<Role>> COMMANDS = new HashMap<>();
    private static final Set<Role> ALL_READERS = EnumSet.of(Role.READER, Role.WRITER, Role.ADMIN);
    private static final Set<Role> WRITERS = EnumSet.of(Role.WRITER, Role.ADMIN);
    private static final Set<Role> OPERATORS = EnumSet.of(Role.OPERATOR, Role.ADMIN);
    private static final Set<Role> ADMINS = EnumSet.of(Role.ADMIN);
    private static final Set<Role> NODES = EnumSet.noneOf(Role.class);

    static {
        COMMANDS.put("ZoneSought", ALL_READERS);
        put(WRITERS, "ClientOpen", "ClientGone");
        put(OPERATORS, "AcceptLoss", "AddSuperpeer", "RemoveSuperpeer", "Ended", "UnloadNode", "UnbindNode",
            "ZoneSent", "ZoneSpread", "ZoneWidth");
        put(ADMINS, "ZonesRebuilt", "NewZones");
        put(NODES, "Join", "SuperpeerLife", "Begin", "SuperpeerMoved", "SuperpeerStands", "Vote", "ZoneFull",
            "BackupFailed", "Fenced", "Hedge", "Owned", "AddBackup", "Learned", "ClaimZone", "HandOver",
            "CannotRestore", "Founded", "DoWithout", "Returned", "RegistryChange", "ZoneSite", "ZoneVacant");
    }

    private static void put(Set<Role> roles, String... names) {
        for (String name : names) {
            COMMANDS.put(name, roles);
        }
    }

    private static Stream<Class<?>> commands(Class<?> of) {
        return of.isSealed() ? Stream.of(of.getPermittedSubclasses()).flatMap(CellRightsTest::commands)
            : Stream.of(of);
    }

    /** Returns a command of a class, with any arguments. */
    private static Command sample(Class<?> of) throws ReflectiveOperationException {
        final List<Object> arguments = new ArrayList<>();
        final List<Class<?>> types = new ArrayList<>();
        for (RecordComponent each : of.getRecordComponents()) {
            final Class<?> type = each.getType();
            types.add(type);
            arguments.add(type == int.class ? (Object) 7 : type == long.class ? (Object) 7L
                : type == boolean.class ? (Object) true : type == List.class ? List.of() : null);
        }
        final var made = of.getDeclaredConstructor(types.toArray(Class<?>[]::new));
        made.setAccessible(true);
        return (Command) made.newInstance(arguments.toArray());
    }

    private static Set<Role> having(Right right) {
        final Set<Role> roles = EnumSet.noneOf(Role.class);
        Stream.of(Role.values()).filter(role -> role.has(right)).forEach(roles::add);
        return roles;
    }

    @Test
    void eachCommand_hasItsRoles() throws ReflectiveOperationException {
        final Map<String, Class<?>> all = new TreeMap<>();
        commands(Command.class).forEach(each -> all.put(each.getSimpleName(), each));
        assertEquals(COMMANDS.keySet(), all.keySet(), "a new command needs an entry in CellRights and here");
        for (Class<?> each : all.values()) {
            assertEquals(COMMANDS.get(each.getSimpleName()), having(CellRights.of(sample(each))),
                each.getSimpleName());
        }
    }

    @Test
    void eachStepOfServices_hasItsRoles() throws IllegalAccessException {
        final Map<String, Set<Role>> expected = new HashMap<>();
        for (String name : List.of("GET", "LIST", "WATCH", "AWAIT", "HOLDER", "VALUES")) {
            expected.put(name, ALL_READERS);
        }
        for (String name : List.of("OPEN", "CLOSE", "BEAT", "PUT", "REMOVE", "ADD", "ENTER", "LEAVE")) {
            expected.put(name, WRITERS);
        }
        for (String name : List.of("RENEW", "END", "EXPIRE", "LOOK", "RAISE")) {
            expected.put(name, ADMINS);
        }
        for (Field field : StepCode.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                assertNotNull(expected.get(field.getName()), "the step " + field.getName() + " needs an entry here");
                assertEquals(expected.get(field.getName()), having(CellRights.of(field.getInt(null))),
                    field.getName());
            }
        }
        assertEquals(ADMINS, having(CellRights.of(1000)));
    }
}
