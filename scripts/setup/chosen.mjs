/**
 * The names on the command line, in our order; all where there is none. Ends the process when one is unknown.
 * @template {string} Name @param {string} kind what they name @param {Name[]} names @param {string[]} asked
 */
export function chosen(kind, names, asked = process.argv.slice(2)) {
  const unknown = asked.filter(one => !names.some(name => name === one));
  if (unknown.length === 0) return asked.length === 0 ? names : names.filter(name => asked.includes(name));
  console.error(`There is no ${kind} ${unknown.join(', ')}; there are: ${names.join(', ')}.`);
  process.exit(2);
}
