import type { Guest } from '../../../simulator/world';
import type { CliLab, Ran } from '../../support/processes/cli';
import { LINE_OF_OURS } from '../../support/runs/edited-marks';
import { lineLab } from '../../support/runs/line-lab';

const web = {
  id: 'web',
  image: { blank: true },
  power: 'stopped',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
};
const VMID = 10_000;
const GONE = 'the mark was edited away; it is written again';

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
  expect(await lab.apply(web)).toMatchObject({ code: 0 });
  lab.writes();
});
afterEach(() => lab.close());

const guest = (vmid = VMID): Guest => lab.world.guests[vmid]!;
const describedAs = (text: string, vmid = VMID): void => void (guest(vmid).config['description'] = text);
const withoutTag = (vmid = VMID): void => void delete guest(vmid).config['tags'];
const uuid = (value: string, vmid = VMID): void => void (guest(vmid).config['smbios1'] = `uuid=${value}`);
const OTHER_UUID = '11111111-1111-4111-8111-111111111111';

/** A backup of ours that somebody restored beside it, with the uuid and the mark that it had. */
function restored(): void {
  const copy = structuredClone(guest());
  copy.vmid = 10_007;
  delete copy.config['scsi0'];
  lab.world.guests[10_007] = copy;
}

async function refused(said: RegExp, spec: { id: string } = web): Promise<Ran> {
  lab.writes();
  const ran = await lab.apply(spec);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(said) as string });
  const { told } = await lab.observe({ web: spec });
  expect(told).toMatchObject({ 'web.status': 'refused', 'web.refusal': '' });
  expect(told['web.alone']).toMatch(said);
  expect(told['refusedAlone']).toBe(`machine web: ${told['web.alone']}`);
  expect(lab.writes()).toEqual([]);
  return ran;
}

const heals = async (spec: { id: string } = web, entry = 'e1'): Promise<void> => {
  const ran = await lab.apply(spec, { entry });
  expect({ ...ran, said: ran.stderr.includes(GONE) }).toMatchObject({ code: 0, said: true });
};
/** It is the machine again, and the next plan has nothing to do. */
async function isItself(spec: { id: string } = web, vmid = VMID): Promise<void> {
  expect((await lab.observe({ web: spec })).told).toMatchObject({
    'web.status': 'in-sync',
    'web.vmid': String(vmid),
  });
}

test('a mark that a later release wrote is no damage: it stays as it is', async () => {
  const description = guest().config['description'] ?? '';
  describedAs(description.replace('"v":1', '"v":2'));
  await refused(/written by a later release, and this one does not know what it says/);
  expect(guest().config['description']).toContain('"v":2');
});

/** The remedies that are printed, each done as it says. */
describe('what is refused, and the way out that it names:', () => {
  test('another uuid: the command gives it back', async () => {
    uuid(OTHER_UUID);
    const { stderr } = await refused(/cloned from it, or its uuid was changed by hand/);
    const [, vmid, value] = /qm set (\d+) --smbios1 uuid=([\da-f-]{36})/.exec(stderr) ?? [];
    uuid(value ?? '', Number(vmid));
    await isItself();
  });

  test('another uuid beside a serial number: no command that takes the number away', async () => {
    uuid(`${OTHER_UUID},serial=A1`);
    const { stderr } = await refused(/cloned from it, or its uuid was changed by hand/);
    expect(stderr).not.toContain('qm set');
    const [, value] = /SMBIOS settings, UUID ([\da-f-]{36})/.exec(stderr) ?? [];
    uuid(`${value},serial=A1`);
    await isItself();
  });

  test('another uuid: without the mark it is adopted', async () => {
    uuid(OTHER_UUID);
    const { stderr } = await refused(/or remove the line that begins.* and set `adopt: true` with its vmid/);
    // whoever stops reading there has not removed the machine
    expect(stderr.indexOf('the machine itself')).toBeLessThan(stderr.indexOf('deleted by hand'));
    describedAs(guest().config['description']!.replace(LINE_OF_OURS, ''));
    const adopting = { ...web, vmid: VMID, adopt: true };
    expect(await lab.apply(adopting)).toMatchObject({ code: 0 });
    await isItself(adopting);
  });

  test('another uuid and no mark: nothing proves it, and it is adopted', async () => {
    uuid(OTHER_UUID);
    describedAs('Ask Bert.');
    await refused(/carries our tag, and no mark of this machine: nothing else proves whose it is/);
    const adopting = { ...web, vmid: VMID, adopt: true };
    expect(await lab.apply(adopting)).toMatchObject({ code: 0 });
    await isItself(adopting);
    expect(guest().config['description']).toMatch(/^Ask Bert\.\n/);
  });

  test('another uuid and a mark that cannot be read: line and tag are removed, and it is adopted', async () => {
    uuid(OTHER_UUID);
    describedAs('Ask Bert.\n<!-- pvr:{"v":1, -->');
    await refused(/cannot be read, and its uuid does not prove whose it is.*remove line and tag/);
    describedAs('Ask Bert.');
    withoutTag();
    const adopting = { ...web, vmid: VMID, adopt: true };
    expect(await lab.apply(adopting)).toMatchObject({ code: 0 });
    await isItself(adopting);
  });

  test('the true mark of another machine: without that line the mark is written again', async () => {
    describedAs(guest().config['description']!.replace('"m":"web"', '"m":"db"'));
    await refused(
      /machine db carries our tag, and no mark of this machine.*remove the line that begins with <!-- pvr:/,
    );
    describedAs(guest().config['description']!.replace(LINE_OF_OURS, ''));
    await heals();
    await isItself();
  });

  test('another Terraform state made it: that one writes the mark again', async () => {
    describedAs('Ask Bert.');
    const ran = await lab.apply(web, { entry: 'e2' });
    const said = expect.stringMatching(
      /another Terraform state made it.*Apply the program of the state that made it/,
    ) as string;
    expect(ran).toMatchObject({ code: 3, stderr: said });
    expect(await lab.people('reconcile', [web])).toMatchObject({ code: 3, stderr: said });
    expect(lab.writes()).toEqual([]);
    await heals();
    // and then it is as it was: the other state may not
    expect(await lab.apply(web, { entry: 'e2' })).toMatchObject({ code: 3 });
    expect(await lab.people('reconcile', [web])).toMatchObject({ code: 0 });
  });

  test('another Terraform state made it, and it is taken over', async () => {
    describedAs('Ask Bert.');
    expect(await lab.apply(web, { entry: 'e2' })).toMatchObject({ code: 3 });
    const adopting = { ...web, vmid: VMID, adopt: true };
    expect(await lab.apply(adopting, { entry: 'e2' })).toMatchObject({ code: 0 });
    await isItself(adopting);
    expect(await lab.destroy('web', { entry: 'e1' })).toMatchObject({ code: 0 });
    expect(guest()).toBeDefined();
  });

  test.each(['the machine', 'the backup'])(
    'a restored backup beside it, and the mark of %s was edited away: the other one gives up tag and mark',
    async which => {
      restored();
      describedAs('Ask Bert.', which === 'the machine' ? VMID : 10_007);
      await refused(/guest 10000 .* and guest 10007 .* both prove to be this machine/);
      expect(await lab.destroy('web')).toMatchObject({ code: 3 });
      withoutTag(10_007);
      describedAs('a backup', 10_007);
      expect(await lab.apply(web)).toMatchObject({ code: 0 });
      await isItself();
      expect(guest(10_007).config['description']).toBe('a backup');
    },
  );
});

describe('a machine whose mark was edited away', () => {
  beforeEach(() => describedAs('Ask Bert.'));

  test('is not destroyed on the strength of its tag and uuid: first an apply writes the mark again', async () => {
    const said = expect.stringMatching(
      /its uuid still prove it, and an apply writes the mark again/,
    ) as string;
    expect(await lab.destroy('web')).toMatchObject({ code: 3, stderr: said });
    expect(lab.writes()).toEqual([]);
    await heals();
    expect(await lab.destroy('web')).toMatchObject({ code: 0 });
    expect(guest()).toBeUndefined();
  });

  test('is no orphan, and gc takes nothing of it', async () => {
    expect(await lab.people('gc', [], ['--yes'])).toMatchObject({ code: 0 });
    expect(lab.writes()).toEqual([]);
  });

  test('is not doubled where it lost its tag, too, and its name is taken: that was its release', async () => {
    withoutTag();
    guest().config['name'] = 'theirs';
    expect(await lab.apply(web)).toMatchObject({ code: 0 });
    expect(lab.guests('web').map(({ vmid }) => vmid)).toEqual([VMID + 1]);
    expect(guest().config['description']).toBe('Ask Bert.');
  });

  test('is told, not written, where it is only observed', async () => {
    const { told } = await lab.observe({ web: { ...web, mode: 'observe' } });
    expect(told).toMatchObject({ 'web.status': 'observed', 'web.alone': '', 'web.refusal': '' });
    expect(told['web.drift']).toContain('mark');
    expect(await lab.apply({ ...web, mode: 'observe' } as never)).toMatchObject({ code: 0 });
    expect(lab.writes()).toEqual([]);
  });

  test('tells its facts: they only read', async () => {
    const { code, told } = await lab.facts('web');
    expect({ code, vmid: told['vmid'] }).toEqual({ code: 0, vmid: String(VMID) });
  });
});

describe('a machine of the command line whose mark was edited away', () => {
  const own = { ...web, power: 'unmanaged' };
  beforeEach(async () => {
    await lab.close();
    lab = await lineLab();
    expect(await lab.people('reconcile', [own])).toMatchObject({ code: 0 });
    describedAs('Ask Bert.');
    lab.writes();
  });

  test.each([
    ['power', ['start', 'web']],
    ['destroy', ['web', '--yes']],
    ['snapshot', ['create', 'web', 'clean']],
  ])('is left alone by %s, which says what writes the mark again', async (verb, words) => {
    const ran = await lab.people(verb, [own], words);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(/reconcile/) as string });
    expect(lab.writes()).toEqual([]);
    expect(await lab.people('reconcile', [own])).toMatchObject({ code: 0 });
    expect(await lab.people(verb, [own], words)).toMatchObject({ code: 0 });
  });

  test('is told by status, and healed by reconcile', async () => {
    const { stdout, stderr } = await lab.people('status', [own]);
    expect(`${stdout}${stderr}`).toContain(String(VMID));
    expect(await lab.people('plan', [own], ['--check'])).toMatchObject({ code: 4 });
    expect(await lab.people('reconcile', [own])).toMatchObject({ code: 0 });
    expect(await lab.people('plan', [own], ['--check'])).toMatchObject({ code: 0 });
  });
});
