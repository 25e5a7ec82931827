import { Fn, Token, Tokenization } from 'cdktf';
import { closest } from '../../../spec';
import { isToken } from './tokens';

type Fields = Readonly<Record<string, unknown>>;

/** A number that is said, or the token that gives it; undefined where nothing is said. */
export function saidNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return isToken(value) ? Token.asNumber(value) : undefined;
}

/** The same for text. */
export function saidText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isToken(value) ? Token.asString(value) : undefined;
}

/** The static address of the first network, without its prefix; undefined where it has none. */
export function firstStaticAddress({ networks }: Fields): string | undefined {
  const first: unknown = Array.isArray(networks) ? networks[0] : undefined;
  const { staticIP, ipv4, ipv6 } = fieldsOf(first);
  for (const said of [staticIP, ipv4, ipv6]) {
    const address = saidText(fieldsOf(said).address);
    if (address !== undefined) return withoutPrefix(address);
  }
  return undefined;
}

/** What is said of a network card; undefined where nothing says which cards there are. */
export function networkNamed({ networks }: Fields, name: string): Fields | string | undefined {
  if (!Array.isArray(networks)) return undefined;
  const cards = networks.map(fieldsOf);
  const card = cards.find(each => each.name === name);
  if (card !== undefined) return card;
  const names = cards.map(each => String(each.name));
  const meant = closest(name, names);
  return `the machine has no network '${name}'; allowed: ${names.join(', ') || 'none'}. ${meant === undefined ? 'Name one of them.' : `Did you mean '${meant}'?`}`;
}

/** Why the guest will never tell an address; undefined when it may. */
export function whyNoAddress({ agent, power }: Fields): string | undefined {
  if (agent === false || fieldsOf(agent).enabled === false) return '"agent" is switched off';
  return power === 'stopped' ? 'its "power" is "stopped"' : undefined;
}

function withoutPrefix(address: string): string {
  if (Token.isUnresolved(address)) return Token.asString(Fn.element(Fn.split('/', address), 0));
  return address.replace(/\/.*/, '');
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Tokenization.isResolvable(value) ? { ...value } : {};
}
