import os from 'node:os';
import type { DesiredState } from '../../../spec';
import { InputError, messageOf } from '../../errors';
import { desiredStates } from '../../input/desired-states';
import { fileText } from '../../input/file-text';
import type { Options, Surroundings } from '../../input/surroundings';
import { isPostgres } from '../../postgres/address';
import { atStore, type Stored, type StoredSet } from '../../postgres/store';
import { EXIT } from '../../report/exit-code';
import { oneLine } from '../../report/visible';
import { agreeToLose } from './agree-to-lose';
import { differences, differencesText, type Difference } from './differences';
import { plainManifests, plainSecrets } from './plain-secrets';
import { storedOption } from './stored-option';
import { versionNumber } from './version-number';

/** Stores a desired state as the newest version, where it is good and nobody else has stored one meanwhile. */
export async function put(around: Surroundings, options: Options, [file = '-']: string[]): Promise<number> {
  const { place, flag } = storedOption('put', options);
  const base = versionNumber('put: --after', options.after, { least: 0 });
  // not repeated: it may hold a password
  if (isPostgres(file))
    throw new InputError(
      'put takes a file or -, and no address. To copy what is stored elsewhere: pve-reconciler get --spec FROM | pve-reconciler put - --spec TO.',
    );
  const text = file === '-' ? await around.readInput() : await fileText(file);
  const name = file === '-' ? 'the desired state on stdin' : file;
  const statesIn = (what: string, read: string): Promise<DesiredState[]> =>
    statesOf(what, read, { ...options, spec: [], manifests: [], [flag]: [what] }, around);
  const after = await statesIn(name, text);
  const inText = flag === 'manifests' ? await plainManifests(text, name) : [];
  const secrets = [...inText, ...(await plainSecrets(after))];
  if (secrets.length > 0)
    throw new InputError(secrets.map(says => `${name}: ${says} Nothing was stored.`).join('\n'));
  return atStore(place, async store => {
    const newest = await store.read();
    const document = Buffer.from(text, 'utf8');
    if (newest?.document.equals(document)) return tellSame(around, options, store, newest);
    if (base !== undefined && base !== (newest?.version ?? 0))
      return refusedBase(around, store, base, newest);
    const before = newest && (await wantedBy(newest, store, statesIn, around));
    const told = before === undefined ? differences([], after) : differences(before, after);
    if (options.json !== true) around.out(differencesText(told));
    await agreeToLose(newest !== undefined && before === undefined ? undefined : told, options, around);
    await store.makeTable();
    const by = `${userName()}@${os.hostname()}`;
    const version = await store.add(newest?.version ?? 0, { document, by, why: options.why });
    if (version === undefined) return refused(around, store, newest);
    tellStored(around, options, store, { version, told });
    return EXIT.done;
  });
}

async function statesOf(
  name: string,
  text: string,
  options: Options,
  around: Surroundings,
): Promise<DesiredState[]> {
  const texts = new Map([[name, text]]);
  return (await desiredStates(options, { ...around, texts, leavesOutUnknown: true })).states;
}

/** What the newest version wanted. One that this release cannot read is no reason not to store a better one. */
async function wantedBy(
  { version, document }: Stored,
  { title }: StoredSet,
  statesIn: (what: string, text: string) => Promise<DesiredState[]>,
  { reporter }: Surroundings,
): Promise<DesiredState[] | undefined> {
  try {
    return await statesIn(`version ${version} of ${title}`, document.toString('utf8'));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const why = oneLine(messageOf(error));
    reporter.say(
      'warn',
      `what changes against version ${version} is not known, as it cannot be read: ${why}`,
    );
    return undefined;
  }
}

function tellSame({ out }: Surroundings, { json }: Options, { title }: StoredSet, newest: Stored): number {
  const { version } = newest;
  if (json === true) out(`${JSON.stringify({ version, isStored: false, differences: [] })}\n`);
  else out(`Nothing has changed: version ${version} of ${title} is the same.\n`);
  return EXIT.done;
}

function tellStored(
  { out }: Surroundings,
  { json }: Options,
  { title }: StoredSet,
  { version, told }: { version: number; told: Difference[] },
): void {
  if (json === true) return out(`${JSON.stringify({ version, isStored: true, differences: told })}\n`);
  out(`Stored as version ${version} of ${title}.\n`);
}

/** The text was made from another version than the newest: what that one changed would be undone unseen. */
function refusedBase(
  { reporter }: Surroundings,
  { title }: StoredSet,
  base: number,
  newest: Stored | undefined,
): number {
  const now =
    newest === undefined
      ? 'no version is there'
      : `the newest version is ${newest.version}, which ${newest.by} has stored`;
  const look = base === 0 ? 'Look at it with get' : `Compare get --version ${base} with get`;
  const again =
    newest === undefined
      ? 'Run put again with --after 0'
      : `${look}, bring your change into the newest, and run put again with --after ${newest.version}`;
  reporter.say(
    'error',
    `${title}: --after ${base} says which version the text was made from, and ${oneLine(now)}. Nothing was stored. ${again}: that is safe.`,
  );
  return EXIT.refused;
}

/** Somebody else was quicker. That version is never replaced unseen. */
async function refused(
  { reporter }: Surroundings,
  store: StoredSet,
  before: Stored | undefined,
): Promise<number> {
  const now = await store.newest();
  const who =
    now === undefined ? 'somebody has removed versions' : `${now.by} has stored version ${now.version}`;
  const since = before === undefined ? 'nothing was there' : `version ${before.version} was read`;
  reporter.say(
    'error',
    `${store.title}: ${oneLine(who)} since ${since}. Nothing was stored. Look at it with get, and run put again: that is safe.`,
  );
  return EXIT.refused;
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    // a container may run as a number without a name
    return String(process.getuid?.() ?? 'unknown');
  }
}
