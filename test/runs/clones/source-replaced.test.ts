import { ActsOnce } from '../../support/cluster/acts-once';
import { desired, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';

const TEMPLATE = 9000;
const UUID = 'uuid=11111111-2222-4333-8444-555555555555';

/** Somebody destroys the template, and another guest takes its number: what a builder of images does each night. */
function replace({ world }: Lab, as: { name: string; template: boolean }): void {
  const guest = world.guests[TEMPLATE]!;
  const { template: _, ...config } = guest.config;
  guest.config = { ...config, name: as.name, smbios1: UUID, ...(as.template && { template: '1' }) };
}

const NAMED = { template: 'ubuntu-22.04' };
const NUMBERED = { template: TEMPLATE, clone: 'full' };
const NONE = /^$/;

test.each([
  ['another template', { name: 'debian-13', template: true }, NAMED, /'ubuntu-22.04' not found/, NONE],
  ['one that is still built', { name: 'ubuntu-22.04', template: false }, NAMED, /is no template/, NONE],
  // who says a number means any guest: it is told what that is, as in each plan
  ['another guest', { name: 'payroll', template: false }, NUMBERED, NONE, /9000 \(payroll\).*no template/],
])('a clone that waited for its turn is planned anew with %s', async (_, other, image, errors, warnings) => {
  const actor = new ActsOnce();
  const cluster = await lab({ before: actor.asked, taskMs: 6_000 });
  try {
    actor.before(/^GET \S+\/tasks\/\S*qmclone/, () => {
      replace(cluster, other);
      return Promise.resolve();
    });
    const machine = (id: string): Json => ({ id, image, power: 'stopped' });
    const state = desired([machine('first'), machine('second')], { limits: { clonesPerTemplate: 1 } });
    expect(errorsOf(await cluster.run(state)).join()).toMatch(errors);
    expect(actor.hasActed()).toBe(true);
    const said = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
    expect(said.join()).toMatch(warnings);
  } finally {
    await cluster.close();
  }
});
