import { closest } from '../../spec';
import { CLUSTER_VARIABLES, GENERAL_VARIABLES, isSet, type Environment } from './cluster-variables';
import { PLAIN_PREFIX } from './prefix';

/** Ends like a variable of a cluster: that of one which this run does not know. */
const OF_ANOTHER = new RegExp(`_(?:${CLUSTER_VARIABLES.join('|')})$`);

/**
 * What stands in the environment, is read by nobody, and is nearly the name of a variable that is missing. A name that
 * is far from all of ours belongs to another program, and is left alone.
 */
export function mistypedVariables(prefixes: readonly string[], environment: Environment): string[] {
  const read = [...new Set([...prefixes, PLAIN_PREFIX])];
  const known = new Set([
    ...prefixes.flatMap(prefix => CLUSTER_VARIABLES.map(name => prefix + name)),
    ...GENERAL_VARIABLES.map(name => PLAIN_PREFIX + name),
  ]);
  return Object.keys(environment).flatMap(name => {
    const plain = name.replace(/_FILE$/, '');
    if (!environment[name] || known.has(plain) || OF_ANOTHER.test(plain.replace(PLAIN_PREFIX, ''))) return [];
    const prefix = read.filter(each => plain.startsWith(each)).sort((a, b) => b.length - a.length)[0];
    if (prefix === undefined) return [];
    const own = prefixes.includes(prefix) ? CLUSTER_VARIABLES : [];
    const near = closest(plain.slice(prefix.length), [...own, ...GENERAL_VARIABLES]);
    if (near === undefined) return [];
    const meant = (GENERAL_VARIABLES.includes(near) ? PLAIN_PREFIX : prefix) + near;
    if (isSet(environment, meant)) return [];
    return [`${name} is not read: did you mean ${meant}${name.slice(plain.length)}? Rename it, or unset it.`];
  });
}
