import { readJson } from '../../input/read-json';
import { InputError } from '../../errors';
import { shellWord } from '../../report/shell-word';
import { PlanDocument } from './plan-document';

/** What a plan is called that was read from stdin. */
export const STDIN = 'the plan on stdin';

const SHOW = 'Give the output of "terraform show -json PLAN".';

/** Files that people give instead of a plan's JSON: how each is known, and what it is. `FILE` stands for its name. */
const MISTAKEN: { is: (json: object) => boolean; says: string }[] = [
  { is: json => '@level' in json, says: `is the log of "terraform plan -json". ${SHOW}` },
  { is: json => 'lineage' in json && 'serial' in json, says: `is a Terraform state, not a plan. ${SHOW}` },
  { is: json => 'values' in json && !('configuration' in json), says: `shows a state, not a plan. ${SHOW}` },
  {
    is: json => 'terraform' in json && ('resource' in json || 'data' in json),
    says: 'is a synthesized stack, not a plan. Give its folder with --spec.',
  },
  {
    is: json => 'owner' in json && 'machines' in json,
    says: 'is a desired state, not a plan of Terraform. What would be done for it: pve-reconciler plan --spec FILE',
  },
];

/** A plan from its JSON text. Throws one sentence that says what the text is instead, and what to give. */
export function readPlan(text: string, name: string): PlanDocument {
  if (text.trim() === '') throw new InputError(`${name} is empty. ${SHOW}`);
  // a saved plan is a zip archive
  if (text.startsWith('PK')) {
    throw new InputError(`${name} is a saved plan in Terraform's binary form. ${SHOW}`);
  }
  const log = text.startsWith('{"@level"') ? text.slice(0, text.indexOf('\n')) : text;
  const json = jsonIn(log, name);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw otherTool(name);
  const mistaken = MISTAKEN.find(({ is }) => is(json));
  if (mistaken) throw new InputError(`${name} ${mistaken.says.replace('FILE', () => wordOf(name))}`);
  const isPlan = 'format_version' in json && ('configuration' in json || 'resource_changes' in json);
  if (!isPlan) throw otherTool(name);
  const parsed = PlanDocument.safeParse(json);
  if (!parsed.success) throw unreadable(name, parsed.error.issues);
  if (!/^1\./.test(parsed.data.format_version)) {
    throw new InputError(
      `${name} is a plan in format ${parsed.data.format_version}; this program reads format 1. Update cdktf-proxmox, or use Terraform 1 or OpenTofu 1.`,
    );
  }
  return parsed.data;
}

function jsonIn(text: string, name: string): unknown {
  try {
    return readJson(text, name);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${error.message} ${SHOW}`);
  }
}

function wordOf(name: string): string {
  return name === STDIN ? '-' : shellWord(name);
}

function otherTool(name: string): InputError {
  return new InputError(`${name} is JSON, and not a plan of Terraform or OpenTofu. ${SHOW}`);
}

function unreadable(name: string, issues: readonly { path: readonly PropertyKey[] }[]): InputError {
  const place = issues[0]?.path.map(String).join('.') ?? '';
  return new InputError(`${name} is a damaged plan: ${place} is not what Terraform writes there. ${SHOW}`);
}
