/** Something that the caller must mend: an option, a variable, or a file that one names. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
