/** One line of progress, on stderr: stdout belongs to the command that asked for the set-up. @param {string} text */
export const say = text => process.stderr.write(`set-up: ${text}\n`);

/** The set-up cannot go on. Its message is one sentence that ends with the remedy. */
export class SetUpError extends Error {}
