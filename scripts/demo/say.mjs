// @ts-check
const bold = process.stdout.isTTY && process.env.NO_COLOR === undefined;

/** @param {string} text */
export const heading = text => console.log(bold ? `\n\u001b[1m${text}\u001b[0m\n` : `\n${text}\n`);

/** @param {string} text */
export const tell = text => console.log(text);
