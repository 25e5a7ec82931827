import { fail } from '../failure';
import { findNamed } from '../own-keys';
import type { Config } from '../world';

/** The options of a rule by its type, and whether one may be deleted. */
const OPTIONS: Record<string, Record<string, boolean>> = {
  'node-affinity': { resources: false, nodes: false, strict: true, disable: true, comment: true },
  'resource-affinity': { resources: false, affinity: false, disable: true, comment: true },
};

/**
 * Judges what was sent by the type that the rule has. PVE: SectionConfig's check_config goes through the names in no
 * order, so which of several strange ones it tells is chance; here it is the first.
 */
export function checkRuleOptions(type: string, sentType: string, settings: Config): void {
  const options = OPTIONS[type] ?? {};
  for (const [key, value] of Object.entries(settings)) {
    if (findNamed(options, key) === undefined) fail(`unexpected property '${key}'`);
    if (/[\n\r]/.test(value)) fail('property contains a line feed');
  }
  if (sentType !== type) fail("unexpected property 'type'");
}

/** Takes one option from a rule's settings. Fails for an option that the rule must have, or that is set in the same request. */
export function deleteRuleOption(type: string, settings: Config, sent: Config, name: string): void {
  const mayGo = findNamed(OPTIONS[type] ?? {}, name);
  if (mayGo === undefined) fail(`no such option '${name}'`);
  if (!mayGo) fail(`unable to delete required option '${name}'`);
  if (sent[name] !== undefined) fail(`cannot set and delete property '${name}' at the same time!`);
  delete settings[name];
}
