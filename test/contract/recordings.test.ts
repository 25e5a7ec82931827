import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { clusterOfEnvironment } from '../support/contract/environment';
import { replayThere } from '../support/contract/replay-there';
import { startRecordedWorld } from '../support/contract/start-recorded-world';
import { replayFile } from '../support/contract/replay-file';
import { EXCEPTIONS } from './exceptions';

/**
 * Every recording, replayed: against the simulator with five seeds, or, with PVE_TEST_ENDPOINT and PVE_TEST_PASSWORD,
 * against a cluster that is set up as world.json says (docs/contract-suite.md).
 */
const folder = join(__dirname, 'recordings');
const recordings = readdirSync(folder).filter(name => /^[0-9a-z]\d-.*\.json$/.test(name));
const cluster = clusterOfEnvironment();

if (cluster) describe('a cluster', () => test.each(recordings)('%s', there, 30 * 60_000));
else describe.each([1, 2, 3, 4, 5])('seed %i', seed => test.each(recordings)('%s', name => here(seed, name)));

async function there(recording: string): Promise<void> {
  if (!cluster) return;
  const { failures, left } = await replayThere(cluster, recording);
  expect({ failures, left }).toEqual({ failures: [], left: [] });
}

async function here(seed: number, recording: string): Promise<void> {
  const { target, broken, close } = await startRecordedWorld(seed);
  try {
    const { failures, leftOut } = await replayFile(target, join(folder, recording));
    expect(leftOut).toEqual([]);
    const known = EXCEPTIONS[recording.replace('.json', '')] ?? {};
    const unexpected = [...failures].filter(([step]) => !(step in known));
    expect(unexpected.map(([step, found]) => `step ${step}: ${found.slice(0, 3).join('; ')}`)).toEqual([]);
    expect(Object.keys(known).filter(step => !failures.has(Number(step)))).toEqual([]);
    expect(broken()).toEqual([]);
  } finally {
    await close();
  }
}
