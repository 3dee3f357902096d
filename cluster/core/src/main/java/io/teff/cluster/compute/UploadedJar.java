package io.teff.cluster.compute;

/**
 * A jar that a cluster keeps for its nodes.
 *
 * @param hash SHA-256 of the bytes, 64 lower-case hexadecimal digits
 * @param name of the file that was uploaded, for people
 * @param bytes length of the jar in bytes
 */
public record UploadedJar(String hash, String name, long bytes) {}
