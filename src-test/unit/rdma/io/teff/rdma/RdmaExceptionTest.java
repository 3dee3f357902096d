package io.teff.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of failures: errno by name, and what to install. */
final class RdmaExceptionTest {
    /** One value of each row of the table, and those around the values without a name. */
    @ParameterizedTest
    @CsvSource({"1, EPERM", "12, ENOMEM", "16, EBUSY", "22, EINVAL", "33, EDOM", "40, ELOOP", "42, ENOMSG",
        "57, EBADSLT", "59, EBFONT", "71, EPROTO", "84, EILSEQ", "95, EOPNOTSUPP", "98, EADDRINUSE", "104, ECONNRESET",
        "110, ETIMEDOUT", "111, ECONNREFUSED", "125, ECANCELED", "133, EHWPOISON", "41, errno 41", "134, errno 134",
        "0, NONE", "-5, errno -5"})
    void errnoName_ofAValue_isThatOfLinux(int errno, String name) {
        assertEquals(name, new RdmaException("ibv_create_qp", errno).errnoName());
    }

    @Test
    void message_ofAFailedCall_hasFunctionAndErrno() {
        RdmaException failure = new RdmaException("ibv_reg_mr", 12);
        assertEquals("ibv_reg_mr failed: ENOMEM (12)", failure.getMessage());
        assertEquals("ibv_reg_mr", failure.operation());
        assertEquals(12, failure.errno());
    }

    @Test
    void message_ofAMissingLibrary_saysWhatToInstall() {
        RdmaUnavailableException failure = new RdmaUnavailableException("libibverbs.so.1", "libibverbs1", "not here");
        assertTrue(failure.getMessage().contains("apt-get install libibverbs1"), failure.getMessage());
        assertEquals("libibverbs.so.1", failure.library());
        assertEquals("libibverbs1", failure.debianPackage());
    }
}
