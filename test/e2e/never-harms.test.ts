import { RefusedError } from '../../reconciler/errors';
import type { Ending } from '../../reconciler/reconcile';
import type { Guest } from '../../simulator/world';
import { writes } from '../support/end-state';
import { desired, lab, labWorld } from '../support/lab';
import type { Json, Lab } from '../support/lab';

const blank = {
  id: 'web',
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
};
const OURS = 10_000;

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ taskMs: 0 });
  await cluster.bring(blank);
  cluster.simulator.ledger.reset();
});
afterEach(() => cluster.close());

const guest = (vmid: number): Guest => cluster.world.guests[vmid]!;

/** Somebody clones a guest by hand: all the same but id, uuid and MACs. */
function copied(vmid: number, to: number): Guest {
  const copy = structuredClone(guest(vmid));
  copy.vmid = to;
  copy.config['smbios1'] = 'uuid=99999999-0000-4000-8000-000000000001';
  copy.config['name'] = 'somebody';
  delete copy.config['scsi0'];
  cluster.world.guests[to] = copy;
  return copy;
}

function gone(vmid: number): void {
  delete cluster.world.guests[vmid];
  cluster.world.volumes = cluster.world.volumes.filter(volume => volume.vmid !== vmid);
}

/** A guest of somebody else. */
function foreign(vmid: number, config: Record<string, string> = {}): void {
  const other = structuredClone(guest(100));
  other.vmid = vmid;
  other.config = { ...other.config, name: 'theirs', ...config };
  delete other.config['scsi0'];
  cluster.world.guests[vmid] = other;
}

async function refusalsOf(want: Json): Promise<string> {
  const [ending] = await cluster.run(desired([want]));
  return refusalIn(ending);
}

function refusalIn(ending: Ending | undefined): string {
  if (ending && 'error' in ending && ending.error instanceof RefusedError) return ending.error.message;
  throw new Error(`no refusal: ${JSON.stringify(ending)}`);
}

async function destroyRefusal(): Promise<string> {
  try {
    return `no refusal: ${await cluster.destroy('web')}`;
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
    throw error;
  }
}

afterEach(() => expect(writes(cluster.simulator)).toEqual([]));

describe('a guest that is not proven ours is not written to', () => {
  it('a foreign machine with our old id, which the spec names', async () => {
    gone(OURS);
    foreign(OURS);
    expect(await refusalsOf({ ...blank, vmid: OURS })).toMatch(
      /VM 10000 already exists: guest 10000 \(theirs\)/,
    );
    expect(await cluster.destroy('web')).toBe('already-gone');
  });

  it('a container with our id', async () => {
    gone(OURS);
    cluster.world.guests[OURS] = { ...structuredClone(guest(101)), vmid: OURS };
    expect(await refusalsOf({ ...blank, vmid: OURS })).toMatch(/VM 10000 already exists: container 10000/);
    expect(await cluster.destroy('web')).toBe('already-gone');
  });

  it('a template with our name and our id', async () => {
    gone(OURS);
    foreign(OURS, { name: 'web', template: '1' });
    expect(await refusalsOf({ ...blank, vmid: OURS })).toMatch(
      /VM 10000 already exists: template 10000 \(web\)/,
    );
    expect(await refusalsOf({ ...blank, vmid: OURS, adopt: true })).toMatch(/cannot be adopted/);
    expect(await cluster.destroy('web')).toBe('already-gone');
  });

  it('our machine, which somebody turned into a template', async () => {
    guest(OURS).running = null;
    guest(OURS).config['template'] = '1';
    expect(await refusalsOf({ ...blank, memory: '2Gi' })).toMatch(/template/);
    expect(await destroyRefusal()).toMatch(/guest 10000 on pve1 is a template/);
  });

  it('a machine of another owner with the same name and id', async () => {
    guest(OURS).config['description'] = guest(OURS).config['description']!.replace('team/lab', 'team/else');
    expect(await refusalsOf({ ...blank, vmid: OURS })).toMatch(/VM 10000 already exists: .*team\/else/);
    expect(await refusalsOf({ ...blank, vmid: OURS, adopt: true })).toMatch(/another owner/);
    expect(await cluster.destroy('web')).toBe('already-gone');
  });

  it('a damaged mark', async () => {
    guest(OURS).config['description'] = 'text\n<!-- pvr:{"v":1,"o": -->';
    expect(await refusalsOf(blank)).toMatch(/guest 10000 .*carries our tag.*cannot be read/);
    expect(await destroyRefusal()).toMatch(/guest 10000 .*cannot be read/);
  });

  it('our tag without our mark', async () => {
    guest(OURS).config['description'] = 'somebody else wrote this';
    expect(await refusalsOf({ ...blank, vmid: OURS })).toMatch(/VM 10000 already exists/);
    expect(await cluster.destroy('web')).not.toBe('destroyed');
  });

  it('two guests with our mark', async () => {
    const twin = copied(OURS, 10_007);
    twin.config['smbios1'] = guest(OURS).config['smbios1']!;
    expect(await refusalsOf(blank)).toMatch(/guest 10000 .*and guest 10007 .*both carry the mark/);
    expect(await destroyRefusal()).toMatch(/10000.*10007.*both carry the mark/);
  });

  it('only a copy of ours is left, when ours is to be destroyed', async () => {
    copied(OURS, 10_007);
    gone(OURS);
    expect(await destroyRefusal()).toMatch(/guest 10007 \(somebody\).*cloned from it/);
  });
});

it('changes ours and never the copy that somebody cloned from it', async () => {
  const copy = copied(OURS, 10_007);
  const before = JSON.stringify(copy);
  expect(await cluster.bring({ ...blank, memory: '2Gi' })).toEqual([]);
  expect(await cluster.destroy('web')).toBe('destroyed');
  expect(JSON.stringify(guest(10_007))).toBe(before);
  expect(writes(cluster.simulator).filter(line => line.includes('10007'))).toEqual([]);
  cluster.simulator.ledger.reset();
});

test('a token that may see nothing makes no second machine', async () => {
  cluster.world.access.users['root@pam']!.tokens['lab']!.privsep = true;
  expect(await refusalsOf(blank)).toContain('VM.Audit');
  expect(writes(cluster.simulator)).toEqual([]);
});
