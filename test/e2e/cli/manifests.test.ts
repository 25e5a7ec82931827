import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeWrites } from '../../support/cluster/program-access';
import { startCluster, TOKEN } from '../../support/cluster/start-cluster';
import { run } from '../../support/processes/cli';

const folder = mkdtempSync(join(tmpdir(), 'manifests '));
afterAll(() => rmSync(folder, { recursive: true }));

const machine = (memory: string): string => `apiVersion: infra.virtrigaud.io/v1beta1
kind: VirtualMachine
metadata: { name: web, namespace: shop }
spec:
  providerRef: { name: lab }
  template: ubuntu-22.04
  resources: { memory: ${memory} }
  networks: [{ name: lan }]
`;

test('a folder of manifests, with a Secret that is mounted: made, left alone, changed, and refused with its place', async () => {
  const simulator = await startCluster({ taskMs: 20 });
  try {
    const [place, mounted] = [join(folder, 'manifests'), join(folder, 'secrets', 'access')];
    mkdirSync(place);
    mkdirSync(mounted, { recursive: true });
    writeFileSync(join(mounted, 'token_id'), `${TOKEN.id}\n`);
    writeFileSync(join(mounted, 'token_secret'), `${TOKEN.secret}\n`);
    writeFileSync(join(mounted, 'ca.crt'), simulator.ca);
    const provider = { type: 'proxmox', endpoint: simulator.url, credentialSecretRef: { name: 'access' } };
    const head = { apiVersion: 'infra.virtrigaud.io/v1beta1', kind: 'Provider', metadata: { name: 'lab' } };
    writeFileSync(join(place, 'provider.json'), JSON.stringify({ ...head, spec: provider }));
    const file = join(place, 'web.yaml');
    const reconcile = (text: string) => {
      writeFileSync(file, text);
      const words = ['reconcile', '--manifests', place, '--secrets', join(folder, 'secrets')];
      return run(words, { PVE_TASK_POLL_INTERVAL: '20ms' });
    };

    expect(await reconcile(machine('1Gi'))).toMatchObject({ code: 0 });
    expect(takeWrites(simulator)).toContain('POST /nodes/pve1/qemu/9000/clone');
    expect(await reconcile(machine('1Gi'))).toMatchObject({ code: 0, stderr: '1 machine is as wanted.\n' });
    expect(takeWrites(simulator)).toEqual([]);
    expect(await reconcile(machine('2Gi'))).toMatchObject({ code: 0 });
    expect(takeWrites(simulator)).not.toEqual([]);

    const wrong = await reconcile(machine('2 Gigs'));
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain(
      `${file}:7:16: VirtualMachine web: spec.resources.memory: "2 Gigs" is not valid`,
    );
    expect(wrong.stderr).not.toContain(TOKEN.secret);
    expect(simulator.ledger.entries()).toEqual([]);
  } finally {
    await simulator.close();
  }
});
