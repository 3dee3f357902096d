package io.teff.cluster.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

/** Strangers read no secret; a group reads the secrets of root and of this user. */
final class PrivateFileTest {
    private static String fault(String permissions, boolean belongsToRootOrUser) {
        return String.valueOf(PrivateFile.fault(PosixFilePermissions.fromString(permissions), belongsToRootOrUser));
    }

    @Test
    void fileOfRootOrUser_mayBeReadByItsGroup() {
        for (String good : new String[] {"r--------", "rw-------", "r--r-----", "rw-r-----"}) {
            assertEquals("null", fault(good, true));
        }
    }

    @Test
    void fileOfAStranger_isForItsOwnerAlone() {
        assertEquals("null", fault("rw-------", false));
        assertTrue(fault("r--r-----", false).contains("belongs neither to root nor to the user of this process"));
    }

    @Test
    void fileThatOthersReadOrChange_isRefused() {
        for (String bad : new String[] {"r--r--r--", "rw-rw----", "rw-----w-", "rw----r--"}) {
            assertTrue(fault(bad, true).contains("can be read or changed by other users"), bad);
        }
    }
}
