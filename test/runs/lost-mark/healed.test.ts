import type { Guest } from '../../../simulator/world';
import { ActsOnce } from '../../support/cluster/acts-once';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const disk = (name: string, size: string, more = {}) => ({ name, size, storage: 'local-lvm', ...more });
const web = {
  id: 'web',
  image: { blank: true },
  power: 'stopped',
  memory: '1Gi',
  disks: [disk('root', '8G'), disk('data', '4G'), disk('logs', '2G')],
  networks: [{ name: 'lan' }],
};
const GONE = 'the mark was edited away; it is written again';

const actor = new ActsOnce();
let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab({ before: actor.asked });
});
afterEach(() => lab.close());

const guest = (name = 'web'): Guest => lab.guests(name)[0]!;
const mark = (): Record<string, unknown> =>
  JSON.parse(/<!-- pvr:(.*) -->/.exec(guest().config['description'] ?? '')?.[1] ?? '{}') as Record<
    string,
    unknown
  >;
const says = (code: number, said: RegExp | string) => ({
  code,
  stderr:
    typeof said === 'string'
      ? (expect.stringContaining(said) as string)
      : (expect.stringMatching(said) as string),
});
const made = async (spec: { id: string } = web): Promise<void> => {
  expect(await lab.apply(spec)).toMatchObject({ code: 0 });
  lab.writes();
};
const edit = (notes = 'Ask Bert.'): void => void (guest().config['description'] = notes);
/** The writes to the guest that were not of its configuration. */
const others = (): string[] => lab.writes().filter(line => !/^(PUT|POST) .*\/config$/.test(line));

test('the mark is what it was, as far as spec and guest tell, and nothing else is written', async () => {
  await made();
  const before = mark();
  edit();
  expect(await lab.apply(web)).toMatchObject(says(0, GONE));
  expect(mark()).toEqual(before);
  expect(guest().config['description']).toMatch(/^Ask Bert\.\n<!-- pvr:/);
  expect(lab.writes()).toHaveLength(1);
  expect(await lab.apply(web)).toMatchObject({ code: 0 });
  expect(lab.writes()).toEqual([]);
});

test('a description that the spec says is written, as ever', async () => {
  const described = { ...web, description: 'of the program' };
  await made(described);
  edit();
  expect(await lab.apply(described)).toMatchObject(says(0, GONE));
  expect(guest().config['description']).toMatch(/^of the program\n<!-- pvr:/);
});

test('what else is wanted follows in the same run, after the mark', async () => {
  await made();
  edit();
  const { told } = await lab.observe({ web: { ...web, memory: '2Gi', tags: ['new'] } });
  expect(told).toMatchObject({ 'web.status': 'different', 'web.effect': 'live', 'web.refusal': '' });
  for (const part of [GONE, '"field":"mark"', '"field":"memory"']) expect(told['web.diff']).toContain(part);
  const token = told['web.token']!;
  expect(await lab.apply({ ...web, memory: '2Gi', tags: ['new'] } as never, { token })).toMatchObject({
    code: 0,
  });
  expect(guest().config).toMatchObject({ memory: '2048', tags: expect.stringContaining('new') as string });
  expect(mark()['t']).toBe(token);
});

test('of two disks that are alike only the mark knew which is which: refused, until the spec says their slots', async () => {
  const alike = { ...web, disks: [disk('root', '8G'), disk('a', '4G'), disk('b', '4G')] };
  await made(alike);
  const before = mark();
  edit();
  const { told } = await lab.observe({ web: alike });
  expect(told).toMatchObject({ 'web.status': 'refused', 'web.refusal': '' });
  expect(told['web.alone']).toContain('only the mark knew which disk of it is "a", "b"');
  expect(await lab.apply(alike)).toMatchObject(says(3, /slot: "scsi1"/));
  expect(lab.writes()).toEqual([]);
  const slots = {
    ...alike,
    disks: [disk('root', '8G'), disk('a', '4G', { slot: 'scsi1' }), disk('b', '4G', { slot: 'scsi2' })],
  };
  expect(await lab.apply(slots)).toMatchObject(says(0, GONE));
  expect(mark()).toEqual(before);
  // the slot may go again
  expect((await lab.observe({ web: alike })).told['web.status']).toBe('in-sync');
});

test('of two cards that are alike the same: their addresses say it', async () => {
  const alike = {
    ...web,
    networks: [
      { name: 'one', bridge: 'vmbr0' },
      { name: 'two', bridge: 'vmbr0' },
    ],
  };
  await made(alike);
  const before = mark();
  edit();
  expect(await lab.apply(alike)).toMatchObject(says(3, /which card of it is "one", "two".*macAddress/));
  expect(lab.writes()).toEqual([]);
  const mac = (slot: string): string => /=([\dA-F:]{17})/.exec(guest().config[slot]!)![1]!;
  const said = alike.networks.map((network, at) => ({ ...network, macAddress: mac(`net${at}`) }));
  expect(await lab.apply({ ...alike, networks: said } as never)).toMatchObject(says(0, GONE));
  expect(mark()).toEqual(before);
  expect((await lab.observe({ web: alike })).told['web.status']).toBe('in-sync');
});

test('a disk that left the spec meanwhile stays: that it was to be deleted, only the mark knew', async () => {
  await made({ ...web, disks: [disk('root', '8G'), disk('data', '4G', { onRemove: 'delete' })] } as never);
  edit();
  expect(await lab.apply({ ...web, disks: [disk('root', '8G')] } as never)).toMatchObject(says(0, GONE));
  expect(guest().config['scsi1']).toContain('size=4G');
  expect(others()).toEqual([]);
});

test('a volume that was kept is kept by its destroy, which names it', async () => {
  await made();
  expect(await lab.apply({ ...web, disks: web.disks.slice(0, 2) } as never)).toMatchObject({ code: 0 });
  const unused = guest().config['unused0']!;
  edit();
  expect(await lab.apply({ ...web, disks: web.disks.slice(0, 2) } as never)).toMatchObject(says(0, GONE));
  expect(await lab.destroy('web')).toMatchObject(says(3, `unused0 ${unused}`));
  expect(guest()).toBeDefined();
});

test('nothing is rebuilt in a run that writes the mark again, whatever the spec allows', async () => {
  const root = { ...web, disks: [disk('root', '8G')], rebuildOn: ['disks', 'image'] };
  await made(root);
  const { smbios1 } = guest().config;
  edit();
  const smaller = { ...root, disks: [disk('root', '4G')] };
  const { told } = await lab.observe({ web: smaller });
  expect(told['web.effect']).toBe('refused');
  expect(await lab.apply(smaller)).toMatchObject(says(3, /cannot shrink/));
  expect(lab.writes()).toEqual([]);
  // another image: which one it was made from only the mark knew, so that it is taken for this one
  expect(await lab.apply({ ...root, image: { template: 'ubuntu-22.04' } } as never)).toMatchObject(
    says(0, GONE),
  );
  expect(others()).toEqual([]);
  expect(guest().config['smbios1']).toBe(smbios1);
});

test('a snapshot is not gone back to once more, and a password is not sent once more', async () => {
  const password = { passwordFrom: { environment: 'WEB_PASSWORD' }, passwordVersion: 3 };
  const env = { WEB_PASSWORD: 'of-the-test' };
  const spec = { ...web, cloudInit: { user: 'ops', ...password } };
  expect(await lab.apply(spec, { env })).toMatchObject({ code: 0 });
  const place = `/nodes/${guest().node}/qemu/${guest().vmid}`;
  expect(await lab.people('reconcile', [spec], [], env)).toMatchObject({ code: 0 });
  edit();
  lab.writes();
  const before = structuredClone(guest().config);
  const back = { ...spec, revertTo: 'clean' };
  const ran = await lab.apply(back, { env });
  expect(ran).toMatchObject(says(0, /taken as done: revertTo "clean", passwordVersion 3/));
  expect(lab.writes().filter(line => !line.includes(`${place}/config`))).toEqual([]);
  expect(guest().config['cipassword']).toBe(before['cipassword']);
  expect(mark()).toMatchObject({ p: 3, r: 'clean' });
});

describe('somebody else edits the notes', () => {
  test('between plan and apply: the newest are kept', async () => {
    await made();
    edit('first');
    const token = (await lab.observe({ web })).told['web.token']!;
    edit('second');
    expect(await lab.apply(web, { token })).toMatchObject(says(0, GONE));
    expect(guest().config['description']).toMatch(/^second\n<!-- pvr:/);
  });

  test('between plan and apply, of a machine that was whole: healed with what the plan showed', async () => {
    await made();
    const more = { ...web, tags: ['new'] };
    const token = (await lab.observe({ web: more })).told['web.token']!;
    edit();
    expect(await lab.apply(more, { token })).toMatchObject(says(0, GONE));
    expect(guest().config['tags']).toContain('new');
  });

  test.each(['whole', 'edited before'])(
    'between our reading and our write (%s): the newest are kept',
    async how => {
      await made();
      if (how !== 'whole') edit('first');
      actor.before(/PUT .*\/config$/, () => {
        edit('second');
        // as each write of a configuration does
        return Promise.resolve();
      });
      expect(await lab.apply({ ...web, tags: ['new'] } as never)).toMatchObject(says(0, GONE));
      expect(actor.hasActed()).toBe(true);
      expect(guest().config['description']).toMatch(/^second\n<!-- pvr:/);
      expect(guest().config['tags']).toContain('new');
    },
  );

  test.each(['status/stop', 'pending'])(
    'while it is about to be rebuilt (before %s): it is not destroyed',
    async at => {
      const runs = {
        ...web,
        power: 'running',
        shutdownTimeout: '1s',
        disks: [disk('root', '8G')],
        rebuildOn: ['disks'],
      };
      await made(runs);
      const { smbios1 } = guest().config;
      const smaller = { ...runs, disks: [disk('root', '4G')] };
      let reads = 0;
      actor.before(at === 'pending' ? /GET .*\/pending$/ : /POST .*\/status\/(stop|shutdown)$/, () => {
        reads += 1;
        edit();
        return Promise.resolve();
      });
      expect(await lab.apply(smaller as never)).toMatchObject(
        says(3, /cannot shrink.*until it is written again/s),
      );
      expect(reads).toBe(1);
      expect(guest().config['smbios1']).toBe(smbios1);
      expect(lab.writes().filter(line => line.startsWith('DELETE'))).toEqual([]);
      // the way out: without the change the mark is written, and then it is rebuilt
      expect(await lab.apply(runs as never)).toMatchObject(says(0, GONE));
      expect(await lab.apply(smaller as never)).toMatchObject({ code: 0 });
      expect(guest().config['smbios1']).not.toBe(smbios1);
    },
  );

  test('and the mark is restored between plan and apply of what was refused: nothing unseen is done', async () => {
    await made();
    const whole = structuredClone(guest().config);
    guest().config['smbios1'] = 'uuid=11111111-1111-4111-8111-111111111111';
    const more = { ...web, tags: ['new'] };
    const token = (await lab.observe({ web: more })).told['web.token']!;
    guest().config = whole;
    lab.writes();
    expect(await lab.apply(more, { token })).toMatchObject(says(3, /changed since the plan/));
    expect(lab.writes()).toEqual([]);
  });
});

test('a clone that somebody made by hand is never taken for it, and is not written to', async () => {
  await made();
  const copy = structuredClone(guest());
  copy.vmid = 10_007;
  copy.config['smbios1'] = 'uuid=99999999-0000-4000-8000-000000000001';
  for (const slot of ['scsi0', 'scsi1', 'scsi2']) delete copy.config[slot];
  const text = JSON.stringify(copy);
  lab.world.guests[10_007] = copy;
  guest().config['description'] = 'Ask Bert.';
  expect(await lab.apply(web)).toMatchObject(says(0, GONE));
  expect(JSON.stringify(lab.world.guests[10_007])).toBe(text);
});
