import { WORLD_NAMES } from '../worlds/named';
import type { Option } from './option-table';
import { FLAGS, NUMBERS, TEXTS } from './option-table';

const WIDTH = 22;

function line([name, { takes, says }]: [string, Option]): string {
  const flag = takes === undefined ? `--${name}` : `--${name} ${takes}`;
  return `  ${flag.padEnd(WIDTH)}${says.replace('WORLDS', WORLD_NAMES.join(', '))}\n`;
}

const lines = (table: Record<string, Option>): string => Object.entries(table).map(line).join('');

/** A verb in the help: how it is called and what it does. */
export interface VerbLine {
  call: string;
  says: string;
}

export const usage = (verbs: readonly VerbLine[]): string => `Usage: pve-simulator [options]

A Proxmox VE cluster that lives in memory. When it listens it prints one line of JSON:
url, caFile, fingerprint, user, password, tokenId, tokenSecret, pid.

${lines(TEXTS)}${lines(NUMBERS)}${lines(FLAGS)}
Each option but the last two has a variable: that of --task-ms is PVE_SIM_TASK_MS. A flag wins.

Other uses:
${verbs.map(({ call, says }) => `  pve-simulator ${call.padEnd(WIDTH)}${says}\n`).join('')}`;
