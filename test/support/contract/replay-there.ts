import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import recorded from '../../contract/recordings/world.json';
import type { Target } from '../../../simulator/replay/player';
import { sendRaw } from '../api/raw-client';
import { replayFile } from './replay-file';
import { recordedCredentials } from './recorded-credentials';
import { cleanUp } from './clean-up';
import { foreignRows, without } from './foreign-rows';
import type { Item } from './inventory';
import { keyOf, takeInventory } from './inventory';
import type { Entry } from './journal';
import { Journal } from './journal';
import { RecordingNames } from './recording-names';
import { ClusterSession } from './session';

/** A cluster that is only known by its address and by root's password. */
export interface Cluster {
  /** https://host:port */
  endpoint: string;
  password: string;
  /** Where the file lies that tells the next run what this one left when it was killed. */
  journal: string;
}

/** What came of a recording; `skipped` says why it was not played. */
export interface Played {
  failures: string[];
  left: string[];
  skipped?: string;
}

const FOLDER = join(__dirname, '..', '..', 'contract', 'recordings');

/** Plays a recording against a cluster as FORMAT.md says, and removes what it made, also when it fails. */
export async function replayThere(cluster: Cluster, recording: string, folder = FOLDER): Promise<Played> {
  const left = await cleanAbandoned(cluster, folder);
  if (left.length > 0) return { failures: [], left, skipped: 'an earlier run left something behind' };
  const file = join(folder, recording);
  const { steps } = JSON.parse(readFileSync(file, 'utf8')) as { steps: { control?: unknown }[] };
  if (steps.some(({ control }) => control)) {
    return { failures: [], left: [], skipped: 'it takes nodes down, which only the simulator lets it do' };
  }
  const session = sessionOf(cluster);
  const names = new RecordingNames(file, recorded);
  const before = await takeInventory(session);
  const inTheWay = before.filter(item => names.includes(item)).map(keyOf);
  if (inTheWay.length > 0) {
    throw new Error(
      `${recording} would meet what is not its own: ${inTheWay.join(', ')}. Nothing was changed.`,
    );
  }
  return playGuarded(cluster, session, { recording, file, names, before });
}

interface Play {
  recording: string;
  file: string;
  names: RecordingNames;
  before: Item[];
}

async function playGuarded(
  { endpoint, password, journal }: Cluster,
  session: ClusterSession,
  { recording, file, names, before }: Play,
): Promise<Played> {
  const record = new Journal(journal);
  const options = (await session.get('/cluster/options')) as Record<string, unknown>;
  const now = session.time;
  const entry: Entry = { endpoint, recording, before: before.map(keyOf), options, started: now, last: now };
  record.write(entry);
  const isForeign = foreignRows(before, names, now);
  const target: Target = {
    send: async request => {
      const answer = await sendRaw(session.base, request);
      const time = Math.floor(Date.parse(String(answer.headers['date'])) / 1000);
      if (time > entry.last) {
        entry.last = time;
        record.write(entry);
      }
      return answer;
    },
    credentials: recordedCredentials(session.user, password),
    sleep: ms => pause(ms),
    comparesLogs: false,
    ownPart: body => without(isForeign, body),
  };
  let left: string[] = [];
  try {
    const { failures } = await replayFile(target, file);
    return { failures: [...failures].map(([step, found]) => `step ${step}: ${found.join('; ')}`), left };
  } finally {
    left.push(...(await cleanUp(session, entry, names, { abandoned: false })));
    if (left.length === 0) record.forget();
  }
}

/** Removes what a run left that was killed. Gives what could not be removed; nothing when there was no such run. */
export async function cleanAbandoned(cluster: Cluster, folder = FOLDER): Promise<string[]> {
  const journal = new Journal(cluster.journal);
  const entry = journal.read();
  if (!entry) return [];
  if (entry.endpoint !== cluster.endpoint) {
    return [
      `${cluster.journal} tells of a run at ${entry.endpoint}: clean up there first, or remove the file`,
    ];
  }
  const names = new RecordingNames(join(folder, basename(entry.recording)), recorded);
  const left = await cleanUp(sessionOf(cluster), entry, names, { abandoned: true });
  if (left.length === 0) journal.forget();
  return left;
}

const sessionOf = ({ endpoint, password }: Cluster): ClusterSession =>
  new ClusterSession(`${endpoint}/api2/json`, 'root@pam', password);
