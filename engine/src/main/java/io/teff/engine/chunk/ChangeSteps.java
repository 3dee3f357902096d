package io.teff.engine.chunk;

/**
 * The operations that change chunks, as {@link Changes} runs them: they change memory and record the change, but wait
 * neither for room for the record nor until the record is durable.
 *
 * @param creates creates chunks and reserves CIDs
 * @param writes changes and removes chunks
 * @param fields changes single values
 * @param scopes runs scopes on chunks in place
 * @param stepped writes chunks and changes locks in one step
 */
public record ChangeSteps(Creates creates, Writes writes, FieldWrites fields, Scopes scopes, SteppedAccess stepped) {}
