import { InputError, RefusedError } from '../errors';
import { desiredStates } from '../input/desired-states';
import type { Options, Surroundings } from '../input/surroundings';
import { pveumLines, tokenHint } from '../privileges/pveum-lines';
import type { Caller, Missing } from '../privileges/grants';
import { meets } from '../privileges/held';
import { grantsOf, leastRole, moreOfRole, reasonsOf } from '../privileges/least-role';
import { rootOnlyOf } from '../privileges/need';
import { roleNamed } from '../privileges/one-role';
import { EXIT, exitCodeOfAll } from '../report/exit-code';
import { eachRun } from './each-state';
import { machineNeeds } from './machine-needs';
import { namesDesired } from './verb';

/** Who is named where the caller is root, or nobody is asked. */
const TOKEN = 'proxmox@pve!reconciler';

/** Prints what a token must be allowed to do: for exactly these machines, or for any. Changes nothing. */
export async function permissions(given: Surroundings, options: Options): Promise<number> {
  const role = roleNamed(options.role);
  if (!namesDesired(options)) {
    if (options.check) throw new InputError('--check needs --spec or --manifests: add one, or remove it.');
    given.out([documented(8, role), documented(9, role)].join('\n'));
    return EXIT.done;
  }
  const { states, around } = await desiredStates(options, given);
  const errors: unknown[] = [];
  const told = await eachRun<string>(states, around, async (run, state) => {
    const failed = errors.length;
    const found = await machineNeeds(run, state, around, (machine, error) =>
      errors.push(around.reporter.failed(machine, error)),
    );
    const { cluster } = run;
    const needs = found.filter(need => options.check !== true || !meets(cluster, need));
    const root = rootOnlyOf(needs).sort().map(rootLine);
    const grants = grantsOf(needs);
    if (options.check && grants.length + root.length > 0) errors.push(new RefusedError([]));
    if (grants.length + root.length === 0) return [nothingLacks(cluster.caller, failed < errors.length)];
    const { caller = 'root@pam' } = cluster;
    const begins = caller.startsWith('root@pam');
    // what lacks is added to what there is; all that is needed stands alone
    const held = options.check === true ? cluster.permissions : {};
    const to = { caller: begins ? TOKEN : caller, permissions: held, role };
    return [...root, ...reasonsOf(needs).map(reasonLine), linesFor(grants, to, begins)];
  });
  around.out(told.join(''));
  return exitCodeOfAll(errors);
}

function rootLine(key: string): string {
  return `# Only root@pam in person may set ${key}: no token can.\n`;
}

function reasonLine({ path, text }: { path: string; text: string }): string {
  return `# on ${path}: ${text}\n`;
}

function nothingLacks(caller = '', isUnsure: boolean): string {
  return isUnsure
    ? '# What is needed is not known for every machine: see above.\n'
    : `# ${caller} may do all that is needed.\n`;
}

function documented(version: 8 | 9, role: string | undefined): string {
  const [user = ''] = TOKEN.split('!');
  const to = { permissions: {}, role };
  const more = pveumLines(moreOfRole(), { ...to, caller: user }).map(line => `${line.trim()}\n`);
  const least = linesFor(leastRole(version), { ...to, caller: TOKEN }, true);
  return [
    `# Proxmox VE ${version}: for all machines but those with devices of a node\n${least}`,
    '# besides, for image.url, image.file, cloud-init data of your own, ha, startup and a change of the pool: leave out what you do not use\n',
    ...more,
  ].join('');
}

/** The lines that an administrator runs: the user and the token where they are new, the roles, and where they hold. */
function linesFor(grants: readonly Missing[], { caller = '', ...to }: Caller, isNew: boolean): string {
  const [user = '', token = ''] = caller.split('!');
  const begin = isNew ? [`pveum user add ${user}`, `pveum user token add ${user} ${token} --privsep 0`] : [];
  const holder = { ...to, caller: isNew ? user : caller };
  const lines = pveumLines(grants, holder).map(line => line.trim());
  const hint = isNew ? '' : tokenHint(grants, holder);
  const comments = hint.split('\n').filter(line => line !== '');
  return `${[...begin, ...lines, ...comments.map(line => `# ${line.trim()}`)].join('\n')}\n`;
}
