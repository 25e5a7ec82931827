/** A recording that cannot go on. The message says what happened and what to do; it holds no secret. */
export class RecordFailure extends Error {
  override readonly name = 'RecordFailure';
}
