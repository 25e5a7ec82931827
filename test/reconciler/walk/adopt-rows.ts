import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { World } from '../../../simulator';
import { Live, runLine, type Ran } from './live';
import { once } from '../../support/once';
import type { Proof } from './proof';

const MACHINES = [{ id: 'web', image: { blank: true }, power: 'stopped', tags: ['db'] }];

/** A guest as a state of another provider has it. */
const HELD = {
  ...{ mode: 'managed', type: 'proxmox_virtual_environment_vm', name: 'front' },
  instances: [{ attributes: { vm_id: 10_000, node_name: 'pve1', name: 'web' } }],
};

const ours = Live.worlds(MACHINES);

/** The same guest as an administrator would have made it. */
async function foreign(): Promise<World> {
  const world = await ours();
  const guests = Object.values(world.guests).filter(({ config }) => config['name'] === 'web');
  for (const { vmid, config } of guests) {
    delete config['description'];
    config['tags'] = 'db';
    world.pools['prod'] = { comment: '', vms: [vmid], storages: [] };
  }
  return world;
}

/** A line of `owner` or `release` over a cluster with a machine of ours, or of `adopt` over one with the guest of somebody else. */
const told = once(async (line: string[]): Promise<Ran> =>
  Live.with(({ access }) => runLine(line, access), {
    world: await (line[0] === 'adopt' ? foreign() : ours()),
  }),
);
const lines = (plain: string[], ...options: string[][]): Proof => ({
  differ: () => Promise.all(options.map(more => told([...plain, ...more]))),
});

/** The options of `adopt`, `owner` and `release`; `folder`: where files may be written. */
export function adoptRows(folder: string): Record<string, Proof> {
  const adopt = (plain: string[], ...options: string[][]) => lines(['adopt', ...plain], ...options);
  const owner = (plain: string[], ...options: string[][]) => lines(['owner', ...plain], ...options);
  const release = (plain: string[], ...options: string[][]) => lines(['release', ...plain], ...options);
  const there = path.join(folder, 'there.ts');
  writeFileSync(there, '// mine');
  const state = path.join(folder, 'state.json');
  writeFileSync(state, JSON.stringify({ version: 4, resources: [HELD] }));
  const held = ['--from-state', state];
  const move = ['move', 'team', 'new'];
  return {
    'adopt [vmids]': adopt([], ['100'], ['9999']),
    'adopt --all': adopt([], [], ['--all']),
    'adopt --pool': adopt([], [], ['--pool', 'prod'], ['--pool', 'test']),
    'adopt --tag': adopt([], [], ['--tag', 'db'], ['--tag', 'web']),
    'adopt --node': adopt(['--all'], [], ['--node', 'no-such-node']),
    'adopt --from-state': adopt([], ['--all'], held),
    'adopt --forget': adopt(held, [], ['--forget', path.join(folder, 'forget.tf.json')]),
    'adopt --owner': adopt(['--all'], [], ['--owner', 'team']),
    'adopt --cluster': adopt(['--all'], [], ['--cluster', 'lab']),
    'adopt --form': adopt(['--all'], [], ['--form', 'hcl'], ['--form', 'yaml'], ['--form', 'x']),
    'adopt --out': adopt(['--all'], [], ['--out', path.join(folder, 'new.ts')]),
    'adopt --force': adopt(['--all', '--out', there], [], ['--force']),
    'adopt --yes': adopt(['--all', '--owner', 'team'], [], ['--yes']),
    'adopt --json': adopt(['--all'], [], ['--json']),
    'adopt --quiet': adopt(['--all'], [], ['--quiet']),
    'owner [words]': owner([], [], move, ['move', 'tema', 'new']),
    'owner --cluster': owner(move, [], ['--cluster', 'no name']),
    'owner --yes': owner(move, [], ['--yes']),
    'owner --json': owner([...move, '--yes'], [], ['--json']),
    'owner --quiet': owner([...move, '--yes'], [], ['--quiet']),
    'release [machines]': release(['--owner', 'team'], [], ['web', 'db'], ['wbe']),
    'release --owner': release([], [], ['--owner', 'team'], ['--owner', 'tema']),
    'release --cluster': release(['--owner', 'team'], [], ['--cluster', 'no name']),
    'release --yes': release(['--owner', 'team'], [], ['--yes']),
    'release --json': release(['--owner', 'team'], [], ['--json']),
    'release --quiet': release(['--owner', 'team', '--yes'], [], ['--quiet']),
  };
}
