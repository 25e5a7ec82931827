import { createHash } from 'node:crypto';
import type { Config } from '../world';

/** One section of a configuration file such as ha/resources.cfg. */
export interface Section {
  type: string;
  id: string;
  settings: Config;
}

/** The digest of a file of such sections: the one that Proxmox gives for the same content. */
export function digestOfSections(sections: Section[]): string {
  return digestOfText(sections.map(print).join(''));
}

/** The digest that Proxmox gives a file of this text. */
export function digestOfText(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function print({ type, id, settings }: Section): string {
  const lines = Object.entries(settings)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `\t${key} ${value}\n`);
  return `${type}: ${id}\n${lines.join('')}\n`;
}
