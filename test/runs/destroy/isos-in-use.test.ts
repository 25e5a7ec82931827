import { desired, errorsOf, lab } from '../../support/cluster/lab';

const web = {
  ...{ id: 'web', node: 'pve1', image: { blank: true }, memory: '1Gi', power: 'stopped' },
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } }],
  cloudInit: { userData: { packages: ['nginx'] } },
};

test('an ISO of a machine that somebody takes into use while another of it is removed stays', async () => {
  let isos: string[] = [];
  let taken: string | undefined;
  const cluster = await lab({
    before: ({ method, path }) => {
      if (method !== 'DELETE' || !path.includes('/content/') || taken !== undefined) return;
      taken = isos.find(volume => !decodeURIComponent(path).endsWith(volume.split('/')[1]!));
      const theirs = Object.values(cluster.world.guests).find(
        ({ config }) => config['name'] === 'legacy-db',
      )!;
      theirs.config['ide0'] = `${taken},media=cdrom`;
    },
  });
  expect(errorsOf(await cluster.run(desired([web])))).toEqual([]);
  const standing = () => cluster.world.volumes.filter(({ volid }) => volid.includes(':iso/pvr-'));
  const [first] = standing();
  const second = `${first!.volid.slice(0, -24)}${'1'.repeat(20)}.iso`;
  cluster.world.volumes.push({ ...first!, volid: second });
  isos = [first!.volid, second];
  await cluster.destroy('web');
  expect(standing().map(({ volid }) => volid)).toEqual([taken]);
  await cluster.close();
});
