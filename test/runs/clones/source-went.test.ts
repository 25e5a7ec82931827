import { ActsOnce } from '../../support/cluster/acts-once';
import { desired, errorsOf, lab, type Json } from '../../support/cluster/lab';
import { terraformOn } from '../../support/runs/as-planned';

const TEMPLATE = 9000;
const web = (image: Json): Json => ({ id: 'web', image, power: 'stopped' });

/** What a run says where somebody removes the template before request number `k` of it, and what that request was. */
async function without(image: Json, k: number): Promise<{ before: string; errors: string[]; made: boolean }> {
  let [seen, before] = [0, ''];
  const cluster = await lab({
    before: ({ method, path }) => {
      seen += 1;
      if (seen <= k || before !== '') return;
      before = `${method} ${path}`;
      delete cluster.world.guests[TEMPLATE];
    },
  });
  try {
    const errors = errorsOf(await cluster.run(desired([web(image)])));
    const made = Object.values(cluster.world.guests).some(({ config }) => config['name'] === 'web');
    return { before, errors, made };
  } finally {
    await cluster.close();
  }
}

test.each([
  ['its name', { template: 'ubuntu-22.04' }, /template 'ubuntu-22\.04' not found/],
  ['its number', { template: TEMPLATE }, /template '9000' not found/],
])(
  'a template named by %s that goes before any request is refused by name, or was copied',
  async (_, image, says) => {
    let isCloned = false;
    for (let k = 0; ; k += 1) {
      const { before, errors, made } = await without(image, k);
      if (before === '') break;
      const said = isCloned ? [] : [expect.stringMatching(says)];
      expect([before, errors, made]).toEqual([before, said, isCloned]);
      isCloned ||= before.endsWith('/clone');
    }
    expect(isCloned).toBe(true);
  },
);

test('so is one that goes while an apply reads it where the plan of Terraform had found it', async () => {
  const actor = new ActsOnce();
  const cluster = await lab({ before: actor.asked });
  try {
    const disks = [{ name: 'root', storage: 'local-lvm' }];
    const want = { ...web({ template: 'ubuntu-22.04' }), disks };
    const token = await terraformOn(cluster).plan(want);
    actor.before(/^GET \S+\/qemu\/9000\/pending$/, () =>
      Promise.resolve(delete cluster.world.guests[TEMPLATE]),
    );
    expect(await terraformOn(cluster).apply(want, token)).toEqual([
      expect.stringMatching(/RefusedError.*template 'ubuntu-22\.04' not found/),
    ]);
    expect(actor.hasActed()).toBe(true);
  } finally {
    await cluster.close();
  }
});
