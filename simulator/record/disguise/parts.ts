import type { Disguise } from './disguise';
import { disguisedVolid } from './volume-id';

/** One value with other words in it; undefined: it is left out. A part that is left out of it is told. */
export type Rule = (disguise: Disguise, value: string, leftOut: (part: string) => void) => string | undefined;
export type Rules = Record<string, Rule>;

/** A value that matches says nothing of its cluster; any other is left out. */
export const only =
  (harmless: RegExp): Rule =>
  (_, value) =>
    harmless.test(value) ? value : undefined;

/** A number, a flag, or a word of Proxmox. Only for names whose values Proxmox itself lists or counts. */
export const WORD = only(/^[\w.+:;-]{0,80}$/);

/** The same rule for each of these names. */
export function each(names: string, rule: Rule): Rules {
  return Object.fromEntries(names.split(/\s+/).map(name => [name, rule]));
}

/** The parts of a property string, each by its own rule; a part without a name is called `''`. One without a rule goes. */
export function parts(rules: Rules): Rule {
  return (disguise, value, leftOut) => {
    const made = value.split(',').map(part => {
      const at = part.indexOf('=');
      const name = at < 0 ? '' : part.slice(0, at);
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
      const other = rule?.(disguise, part.slice(at + 1), leftOut);
      if (other === undefined) leftOut(name);
      return other === undefined ? undefined : at < 0 ? other : `${name}=${other}`;
    });
    const kept = made.filter(part => part !== undefined);
    // without its first part the rest says nothing
    return made[0] === undefined ? undefined : kept.join(',');
  };
}

export const name =
  (what: string): Rule =>
  (disguise, value) =>
    disguise.name(what, value);
export const address: Rule = (disguise, value) => disguise.address(value);
export const sign: Rule = (disguise, value) => disguise.sign(value);
export const mac: Rule = (disguise, value) =>
  /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) ? disguise.mac(value) : undefined;

export const volume: Rule = (disguise, value) => disguisedVolid(disguise, value) ?? device(disguise, value);

export function device(disguise: Disguise, value: string): string | undefined {
  if (/^(none|cdrom|cloudinit|socket|\/dev\/(ttyS|parport)\d{1,3})$/.test(value)) return value;
  return value.startsWith('/') ? `/dev/${disguise.name('device', value)}` : undefined;
}
