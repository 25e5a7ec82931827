import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startRecordedWorld } from '../support/recorded-world';
import type { Target } from '../support/recording-replay';
import { replay } from '../support/recording-replay';
import { EXCEPTIONS } from './exceptions';

/**
 * Every recording, replayed. By default against the simulator with five seeds; with PVE_TEST_ENDPOINT
 * (and PVE_TEST_PASSWORD) against a real cluster that is set up as world.json says.
 */
const folder = join(__dirname, 'recordings');
const recordings = readdirSync(folder).filter(name => /^[0-9a-z]\d-.*\.json$/.test(name));
const real = process.env['PVE_TEST_ENDPOINT'];
const seeds = real === undefined ? [1, 2, 3, 4, 5] : [0];

describe.each(seeds)('seed %i', seed => {
  test.each(recordings)(
    '%s',
    async recording => {
      const { target, broken, close } =
        real === undefined ? await startRecordedWorld(seed) : realCluster(real);
      try {
        const { failures } = await replay(target, join(folder, recording));
        const known = EXCEPTIONS[recording.replace('.json', '')] ?? {};
        const unexpected = [...failures].filter(([step]) => !(step in known));
        expect(unexpected.map(([step, found]) => `step ${step}: ${found.slice(0, 3).join('; ')}`)).toEqual(
          [],
        );
        expect(Object.keys(known).filter(step => !failures.has(Number(step)))).toEqual([]);
        expect(broken()).toEqual([]);
      } finally {
        await close();
      }
    },
    120_000,
  );
});

function realCluster(endpoint: string): {
  target: Target;
  broken: () => string[];
  close: () => Promise<void>;
} {
  const world = JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8')) as Target['world'];
  const password = process.env['PVE_TEST_PASSWORD'] ?? '';
  const target: Target = {
    base: `${endpoint}/api2/json`,
    user: 'root@pam',
    password,
    world,
    sleep: ms => pause(ms),
    during: answer => answer,
  };
  return { target, broken: () => [], close: () => Promise.resolve() };
}
