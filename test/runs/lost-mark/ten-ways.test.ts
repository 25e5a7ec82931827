import type { Guest } from '../../../simulator/world';
import type { CliLab } from '../../support/processes/cli';
import { lineLabsAfter } from '../../support/runs/line-lab';
import { EDITED, LINE_OF_OURS } from '../../support/runs/edited-marks';

const IDS = Array.from({ length: 10 }, (_, at) => `m${at}`);
const EDITED_ID = 'm3';
const machines = IDS.map(id => ({
  id,
  image: { blank: true },
  power: 'stopped',
  memory: '1Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
}));
const specs = Object.fromEntries(machines.map(spec => [spec.id, spec]));
const NOTES = 'Anna looks after it.';

let lab: CliLab;
afterEach(() => lab.close());

const guest = (id = EDITED_ID): Guest => lab.guests(id)[0]!;
const vmids = (): Record<string, number | undefined> =>
  Object.fromEntries(IDS.map(id => [id, lab.guests(id)[0]?.vmid]));

/** The notes as a person sees them, without our line. */
const notes = (): string => guest().config['description']!.replace(LINE_OF_OURS, '').trim();

/** A person's notes stand in each machine, and one of them is edited. */
function edit(change: (guest: Guest, other: Guest) => void): void {
  for (const id of IDS) guest(id).config['description'] = `${NOTES}\n${guest(id).config['description']}`;
  const [one, other] = [guest(), guest('m4')];
  change(one, other);
}

const others = IDS.filter(id => id !== EDITED_ID);
const configs = (): string[] => others.map(id => JSON.stringify(guest(id).config));

describe('ten machines of Terraform, and one is edited by hand:', () => {
  let open: () => Promise<CliLab>;
  beforeAll(async () => {
    open = await lineLabsAfter(async first => {
      const ends = await Promise.all(machines.map(spec => first.apply(spec, { entry: `e-${spec.id}` })));
      return ends.find(({ code }) => code !== 0) ?? ends[0]!;
    });
  });
  beforeEach(async () => {
    lab = await open();
  });

  test.each(Object.entries(EDITED))(
    '%s',
    async (_, { change, told: [status, said], left, ends = 'healed' }) => {
      edit(change);
      const before = { vmids: vmids(), others: configs() };
      const { code, told } = await lab.observe(specs);
      expect(code).toBe(0);
      // nine are unaffected, whatever is so for the one
      for (const id of others)
        expect(told).toMatchObject({
          [`${id}.status`]: 'in-sync',
          [`${id}.refusal`]: '',
          [`${id}.alone`]: '',
        });
      expect(told[`${EDITED_ID}.status`]).toBe(status);
      const text = `${told[`${EDITED_ID}.diff`]}${told[`${EDITED_ID}.alone`]}${told[`${EDITED_ID}.refusal`]}`;
      expect(text).toMatch(said);
      // what fails the plan of all is asked of a precondition
      expect(told[`${EDITED_ID}.refusal`]).toBe('');
      expect(told['refusedAlone'] === '').toBe(ends !== 'refused');

      lab.writes();
      const token = told[`${EDITED_ID}.token`]!;
      const applied = await lab.apply(specs[EDITED_ID]!, { entry: `e-${EDITED_ID}`, token });
      const writes = lab.writes();
      expect(vmids()[EDITED_ID] ?? guest().vmid).toBe(guest().vmid);
      expect(configs()).toEqual(before.others);
      if (ends !== 'healed') {
        expect(applied).toMatchObject({ code: 3, stderr: expect.stringMatching(said) as string });
        expect(writes).toEqual([]);
        return;
      }
      expect(applied).toMatchObject({ code: 0 });
      expect(notes()).toBe(left ?? NOTES);
      expect(guest().config['description']!.match(/<!-- pvr:/g)).toHaveLength(1);
      const again = (await lab.observe(specs)).told;
      for (const id of IDS) expect(again[`${id}.status`]).toBe('in-sync');
      expect(again[`${EDITED_ID}.token`]).toBe(token);
      expect(vmids()).toEqual({ ...before.vmids, [EDITED_ID]: guest().vmid });
      // its end is proven as before
      expect(await lab.destroy(EDITED_ID, { entry: `e-${EDITED_ID}` })).toMatchObject({ code: 0 });
      expect(lab.guests(EDITED_ID)).toEqual([]);
    },
  );
});

describe('ten machines of the command line, and one is edited by hand:', () => {
  let open: () => Promise<CliLab>;
  beforeAll(async () => {
    open = await lineLabsAfter(first => first.people('reconcile', machines));
  });
  beforeEach(async () => {
    lab = await open();
  });

  test.each(Object.entries(EDITED))('%s', async (_, { change, told: [, said], left, ends = 'healed' }) => {
    edit(change);
    const before = configs();
    const planned = await lab.people('plan', machines);
    for (const id of others) expect(planned.stdout).toMatch(new RegExp(`^${id}: in sync`, 'm'));
    lab.writes();
    const ran = await lab.people(
      'reconcile',
      machines.map(each => ({ ...each, tags: ['new'] })),
    );
    // the others are changed as wanted, whatever becomes of the one
    for (const id of others) expect(guest(id).config['tags']).toContain('new');
    if (ends === 'healed') {
      expect(planned).toMatchObject({ code: 0, stdout: expect.stringMatching(said) as string });
      expect(ran).toMatchObject({ code: 0 });
      expect(notes()).toBe(left ?? NOTES);
      expect(guest().config['tags']).toContain('new');
    } else {
      expect(planned).toMatchObject({ code: 3, stdout: expect.stringMatching(said) as string });
      expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(said) as string });
      expect(lab.writes().filter(line => line.includes(`/${guest().vmid}/`))).toEqual([]);
    }
    expect(before).toHaveLength(9);
  });
});
