import type { Guest } from '../../../simulator/world';
import type { CliLab } from '../../support/processes/cli';
import { lineLabsAfter } from '../../support/runs/line-lab';

const web = {
  id: 'web',
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
};
const OURS = 10_000;

let open: Awaited<ReturnType<typeof lineLabsAfter>>;
let lab: CliLab;
beforeAll(async () => {
  open = await lineLabsAfter(first => first.apply(web));
});
beforeEach(async () => {
  lab = await open();
});
afterEach(() => lab.close());

const applied = (fields: object) => lab.apply(Object.assign({}, web, fields));
const guest = (vmid = OURS): Guest => lab.world.guests[vmid]!;

/** Changes the line of ours in a guest's description. */
function editMark(change: (text: string) => string): void {
  guest().config['description'] = change(guest().config['description']!);
}

/** It has a uuid of Proxmox's own, as a machine has that was adopted, and a clone. */
function proveNothing(): void {
  guest().config['smbios1'] = 'uuid=11111111-1111-4111-8111-111111111111';
}

/** Somebody clones ours by hand: all the same but id, uuid and MACs. */
function copied(to: number): Guest {
  const copy = structuredClone(guest());
  copy.vmid = to;
  copy.config['smbios1'] = 'uuid=99999999-0000-4000-8000-000000000001';
  copy.config['name'] = 'somebody';
  delete copy.config['scsi0'];
  return (lab.world.guests[to] = copy);
}

/** Ours is deleted by hand. */
function gone(): void {
  delete lab.world.guests[OURS];
  lab.world.volumes = lab.world.volumes.filter(volume => volume.vmid !== OURS);
}

/** A guest of somebody else takes the id of ours. */
function taken(by: number, config: Record<string, string> = {}): void {
  gone();
  const other = structuredClone(guest(by));
  other.vmid = OURS;
  other.config = { ...other.config, name: 'theirs', ...config };
  delete other.config['scsi0'];
  lab.world.guests[OURS] = other;
}

/** A machine of another owner, whole and proven, has the id and the name of ours. */
function otherOwner(entry = ',"e":"e9"'): void {
  editMark(text => text.replace('team/lab', 'team/else').replace(',"e":"e1"', entry));
  guest().config['tags'] = 'pvr-aaaaaaaaaa';
}

interface Case {
  happens: () => void;
  /** What apply is asked for; the same machine unless said otherwise. */
  spec?: object;
  apply: RegExp;
  /** What destroy says; with 3 it refuses, with 0 there is nothing of ours and it is done. */
  destroy: [3 | 0, RegExp];
}

const given = { vmid: OURS };
const OTHERS =
  /guest 10000 \(web\) on pve1 has its name, and is machine web of owner team\/else\. .*web: nothing was destroyed, as it is not ours/s;
const cases: Record<string, Case> = {
  'a foreign machine with our old id': {
    happens: () => taken(100),
    spec: given,
    apply:
      /VM 10000 already exists: guest 10000 \(theirs\) on pve3\. It is not this machine.*or set `adopt: true`/,
    destroy: [0, /web: is already gone/],
  },
  'a foreign machine with our old id and our name': {
    happens: () => taken(100, { name: 'web' }),
    spec: given,
    apply: /VM 10000 already exists: guest 10000 \(web\) on pve3/,
    destroy: [0, /guest 10000 \(web\) on pve3 has its name, and nothing proves that it is ours/],
  },
  'a container with our id': {
    happens: () => taken(101),
    spec: given,
    apply:
      /VM 10000 already exists: container 10000.* Give another vmid or none: `adopt` takes over no template/,
    destroy: [0, /web: is already gone/],
  },
  'a container with our tag': {
    happens: () => {
      const tags = guest().config['tags']!;
      taken(101, { tags });
    },
    apply: /container 10000 \(.*\) on pve3 carries our tag/,
    destroy: [3, /container 10000 \(.*\) on pve3 carries our tag/],
  },
  'a template with our name and our id': {
    happens: () => taken(100, { name: 'web', template: '1' }),
    spec: given,
    apply:
      /VM 10000 already exists: template 10000 \(web\).* Give another vmid or none: `adopt` takes over no template/,
    destroy: [0, /template 10000 \(web\) on pve3 has its name/],
  },
  'the same, which is to be adopted': {
    happens: () => taken(100, { name: 'web', template: '1' }),
    spec: { ...given, adopt: true },
    apply: /template 10000 \(web\) on pve3 cannot be adopted: it is a template\./,
    destroy: [0, /template 10000 \(web\) on pve3 has its name/],
  },
  'our machine, which somebody turned into a template': {
    happens: () => {
      guest().running = null;
      guest().config['template'] = '1';
    },
    apply: /guest 10000 on pve1 is a template now/,
    destroy: [3, /guest 10000 on pve1 is a template now/],
  },
  'a machine of another owner with the same name': {
    happens: () => otherOwner(''),
    apply:
      /the name web is taken: guest 10000 \(web\) on pve1 of owner team\/else, machine web\..*pve-reconciler owner move team\/else team\/lab web\./,
    destroy: [0, OTHERS],
  },
  'the same, which a Terraform state holds: no move is offered': {
    happens: otherOwner,
    apply:
      /the name web is taken: .* Give this machine another `name`; or, if its owner was renamed, set it back: a Terraform state holds it, and keeps the owner team\/else\. Nothing/,
    destroy: [0, OTHERS],
  },
  'a machine of another owner with the same name under another id: no rename of the owner, so no move': {
    happens: () => {
      otherOwner();
      editMark(text => text.replace('"m":"web"', '"m":"b4"'));
    },
    apply:
      /the name web is taken: guest 10000 \(web\) on pve1 of owner team\/else, machine b4\. Give this machine another `name`\. Nothing/,
    destroy: [0, /machine b4 of owner team\/else\. .*web: nothing was destroyed, as it is not ours/s],
  },
  'a machine of another owner with the same name and id': {
    happens: otherOwner,
    spec: given,
    apply: /guest 10000 \(web\) on pve1 of owner team\/else/,
    destroy: [0, OTHERS],
  },
  'the same, to be adopted, which a Terraform state holds': {
    happens: otherOwner,
    spec: { ...given, adopt: true },
    apply:
      /it belongs to owner team\/else\. .* which a Terraform state holds: run pve-reconciler release web --owner team\/else, which prints the lines terraform state rm; .*, then run the release with --yes, and run this again/,
    destroy: [0, OTHERS],
  },
  'a machine of another owner, to be adopted': {
    happens: () => otherOwner(''),
    spec: { ...given, adopt: true },
    apply:
      /guest 10000 .*cannot be adopted: it belongs to owner team\/else\. .* move it: pve-reconciler owner move team\/else team\/lab web\./,
    destroy: [0, OTHERS],
  },
  'another machine of ours, to be adopted': {
    happens: () => {
      editMark(text => text.replace('"m":"web"', '"m":"db"').replace('"e":"e1"', '"e":"e9"'));
      guest().config['tags'] = 'pvr-aaaaaaaaaa';
    },
    spec: { ...given, adopt: true },
    apply: /cannot be adopted: it is machine db of this owner already\. .*formerIds: \["db"\]/,
    destroy: [0, /./],
  },
  'a copy of a machine of another owner, to be adopted': {
    happens: () => {
      otherOwner();
      guest().config['smbios1'] = 'uuid=11111111-1111-4111-8111-111111111111';
    },
    spec: { ...given, adopt: true },
    apply: /cannot be adopted: it was cloned by hand from that machine\. Remove the last line/,
    destroy: [0, /./],
  },
  'a machine of another owner with our tag': {
    happens: () => editMark(text => text.replace('team/lab', 'team/else').replace('"e":"e1"', '"e":"e9"')),
    apply: /guest 10000 .*of owner team\/else, machine web carries our tag/,
    destroy: [3, /guest 10000 .*of owner team\/else, machine web carries our tag/],
  },
  'a machine of another Terraform state': {
    happens: () => editMark(text => text.replace('"e":"e1"', '"e":"e9"')),
    apply: /guest 10000 .*belongs to another Terraform state/,
    destroy: [0, /guest 10000 .*belongs to another Terraform state.*It is left alone/],
  },
  'a damaged mark': {
    happens: () => {
      editMark(() => 'text\n<!-- pvr:{"v":1,"o": -->');
      proveNothing();
    },
    apply: /guest 10000 .*carries our tag.*cannot be read/,
    destroy: [3, /guest 10000 .*carries our tag.*cannot be read/],
  },
  'our tag without our mark': {
    happens: () => {
      editMark(() => 'somebody else wrote this');
      proveNothing();
    },
    apply: /guest 10000 \(web\) on pve1 carries our tag, and no mark of this machine/,
    destroy: [3, /guest 10000 \(web\) on pve1 carries our tag, and no mark of this machine/],
  },
  'two guests with our mark and its uuid': {
    happens: () => (copied(10_007).config['smbios1'] = guest().config['smbios1']!),
    apply: /guest 10000 .*and guest 10007 .*both prove to be this machine/,
    destroy: [3, /10000.*10007.*both prove to be this machine/],
  },
  'a copy that somebody cloned from ours, which is gone': {
    happens: () => {
      copied(10_007);
      gone();
    },
    apply: /guest 10007 \(somebody\) on pve1 .*was cloned from it/,
    destroy: [3, /guest 10007 \(somebody\) on pve1 .*was cloned from it/],
  },
  'a copy that took the id of ours': {
    happens: () => {
      const copy = { ...copied(10_007), vmid: OURS };
      delete lab.world.guests[10_007];
      gone();
      lab.world.guests[OURS] = copy;
    },
    spec: given,
    apply: /guest 10000 \(somebody\) on pve1 .*was cloned from it/,
    destroy: [3, /guest 10000 \(somebody\) on pve1 .*was cloned from it/],
  },
};

describe('a guest that is not proven ours is not written to:', () => {
  test.each(Object.entries(cases))('%s', async (_, { happens, spec, apply, destroy: [code, said] }) => {
    happens();
    const before = JSON.stringify(lab.world.guests);
    const wanted = Object.assign({}, web, spec);

    expect(await lab.apply(wanted)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(apply) as string,
    });
    const { told } = await lab.observe({ web: wanted }, { web: 'e1' });
    expect(told['web.status']).toBe('refused');
    expect(`${told['web.refusal']}${told['web.alone']}`).toMatch(apply);
    expect(await lab.destroy('web')).toMatchObject({ code, stderr: expect.stringMatching(said) as string });

    expect(lab.writes()).toEqual([]);
    expect(JSON.stringify(lab.world.guests)).toBe(before);
  });
});

test('ours is changed and destroyed, and never the copy that somebody cloned from it', async () => {
  const copy = copied(10_007);
  const before = JSON.stringify(copy);
  expect((await applied({ description: 'changed' })).code).toBe(0);
  expect((await lab.destroy('web')).code).toBe(0);
  expect(JSON.stringify(guest(10_007))).toBe(before);
  expect(lab.world.guests[OURS]).toBeUndefined();
  expect(lab.writes().filter(line => line.includes('10007'))).toEqual([]);
});

test('another machine of ours that formerIds names: both are good, and both keep their marks', async () => {
  expect(await lab.apply({ ...web, id: 'db' })).toMatchObject({ code: 0 });
  const { code, stderr } = await applied({ formerIds: ['db'] });
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/both prove to be this machine\. They are two machines.* out of formerIds/),
  });
  expect(stderr).not.toContain('remove the tag');
});

test('ours is made anew beside the copy, where the spec allows that', async () => {
  guest().running = null;
  copied(10_007);
  const anew = { ...web, rebuildOn: ['disks'] };
  expect((await lab.apply(anew)).code).toBe(0);
  const smaller = { ...anew, disks: [{ ...web.disks[0], size: '4G' }] };
  expect((await lab.apply(smaller)).code).toBe(0);
  expect(lab.guests('web')).toHaveLength(1);
  expect(lab.writes().filter(line => line.includes('10007'))).toEqual([]);
});

test('a token that may see nothing makes no second machine', async () => {
  lab.world.access.users['root@pam']!.tokens['full']!.privsep = true;
  const refused = { code: 3, stderr: expect.stringContaining('VM.Audit') as string };
  expect(await lab.apply(web)).toMatchObject(refused);
  expect(await lab.destroy('web')).toMatchObject(refused);
  expect(lab.writes()).toEqual([]);
});

describe('a machine that lost its tag and was renamed', () => {
  beforeEach(() => {
    delete guest().config['tags'];
    guest().config['name'] = 'former';
  });

  test('gets both back, and no second one is made', async () => {
    expect((await applied({ description: 'changed' })).code).toBe(0);
    expect(lab.guests('former')).toEqual([]);
    expect(lab.guests('web').map(({ vmid, config }) => [vmid, config['tags']])).toEqual([
      [OURS, expect.stringMatching(/^pvr-[a-z2-7]{10}$/)],
    ]);
    expect(lab.writes().filter(line => /POST \/nodes\/[^/]+\/qemu$/.test(line))).toEqual([]);
  });

  test('is destroyed while it runs', async () => {
    expect(guest().running).not.toBeNull();
    expect((await lab.destroy('web')).code).toBe(0);
    expect(lab.world.guests[OURS]).toBeUndefined();
  });

  test('is found at the id that the spec gives, wherever that is', async () => {
    const moved = { ...guest(), vmid: 150 };
    lab.world.guests = { ...lab.world.guests, 150: moved };
    delete lab.world.guests[OURS];
    for (const volume of lab.world.volumes) if (volume.vmid === OURS) volume.vmid = 150;
    expect((await applied({ vmid: 150, disks: undefined })).code).toBe(0);
    expect(lab.guests('web').map(({ vmid }) => vmid)).toEqual([150]);
  });

  test('guests of others are read once for all machines that are to be made', async () => {
    for (let vmid = 20_000; vmid < 20_005; vmid += 1) {
      lab.world.guests[vmid] = { ...structuredClone(guest(100)), vmid };
    }
    const more = ['a', 'b', 'c'].map(id => ({ ...web, id, power: 'stopped' }));
    expect((await lab.people('reconcile', more)).code).toBe(0);
    const reads = lab.simulator.ledger.entries().filter(({ path }) => /\/20\d\d\d\/pending$/.test(path));
    expect(reads).toHaveLength(5);
  });
});
