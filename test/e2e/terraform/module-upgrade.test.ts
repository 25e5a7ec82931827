import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

/** The files of the module as they were written before it took nodes, snapshots and images. */
const FORMER = path.join(__dirname, 'former-module');
const small = { image: { template: 'ubuntu-22.04' }, memory: '1Gi' };
const CONFIGURATION = `
variable "machines" { type = any }
module "lab" {
  source       = "./proxmox"
  owner        = "lab"
  cluster      = { name = "lab" }
  machines     = var.machines
  own_observer = ["db"]
}
resource "terraform_data" "all" { input = [module.lab.machines, module.lab.revisions] }
`;

describeEachEngine('a configuration that was applied with the former module', engine => {
  let lab: PlainHcl;
  beforeEach(async () => {
    lab = await plainHcl(engine);
    lab.write(CONFIGURATION);
    lab.ask({ web: small, db: { ...small, waitFor: 'address' } });
  });
  afterEach(() => lab.close());

  const place = (file: string): string => path.join(lab.folder, 'proxmox', file);

  async function done(...args: string[]): Promise<void> {
    const { code, text } = await lab.run(...args, '-input=false');
    if (code !== 0) throw new Error(text.slice(-6000));
  }

  test('keeps everything with the module of today: an empty plan, then a change in place, then a removal', async () => {
    const today = new Map(readdirSync(FORMER).map(file => [file, `${place(file)}.today`]));
    for (const [file, kept] of today) {
      copyFileSync(place(file), kept);
      copyFileSync(path.join(FORMER, file), place(file));
    }
    await done('init');
    await done('apply', '-auto-approve');
    const uuids = ['web', 'db'].map(id => lab.guest(id)?.config['smbios1']);
    for (const [file, kept] of today) copyFileSync(kept, place(file));
    expect(await lab.planned()).toMatchObject({ actions: {}, deferred: [] });
    await done('apply', '-auto-approve');

    lab.ask({ web: { ...small, memory: '2Gi' }, db: { ...small, waitFor: 'address' } });
    expect((await lab.planned()).actions).toEqual({
      'module.lab.null_resource.machine["web"]': 'delete+create',
      'terraform_data.all': 'update',
    });
    await done('apply', '-auto-approve');
    expect(['web', 'db'].map(id => lab.guest(id)?.config['smbios1'])).toEqual(uuids);
    expect((await lab.plan()).code).toBe(0);

    lab.ask({ web: { ...small, memory: '2Gi' } });
    await done('apply', '-auto-approve');
    expect([lab.guest('db'), lab.guest('web')?.config['smbios1']]).toEqual([undefined, uuids[0]]);
  }, 120_000);
});
