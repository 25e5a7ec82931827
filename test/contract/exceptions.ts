/**
 * Steps of the recordings that the simulator cannot match, each with the reason. The list only shrinks:
 * a step that matches again must leave it, or the suite fails.
 */
export const EXCEPTIONS: Record<string, Record<number, string>> = {};
