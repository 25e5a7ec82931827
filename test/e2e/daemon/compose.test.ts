import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SimulatorProgram } from '../../support/api/simulator-program';
import { start } from '../../support/processes/cli';

interface Service {
  command: string[];
  environment: Record<string, string>;
}

const file = join(__dirname, '..', '..', '..', 'containers', 'compose.yaml');
const { services } = parse(readFileSync(file, 'utf8')) as { services: Record<'proxmox' | 'daemon', Service> };

test('the two services of the compose file, as processes: a machine is made', async () => {
  const program = new SimulatorProgram();
  const folder = mkdtempSync(join(tmpdir(), 'machines-'));
  const machine = { apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', metadata: { name: 'web' } };
  writeFileSync(join(folder, 'web.json'), JSON.stringify({ ...machine, spec: { image: { blank: true } } }));
  const { ready } = await program.startReady([...services.proxmox.command, '--task-ms', '5']);
  const { command, environment } = services.daemon;
  const daemon = start(
    command.map(word => word.replace('/machines', folder)),
    {
      ...environment,
      PVE_ENDPOINT: environment['PVE_ENDPOINT']!.replace('https://proxmox:8006', ready['url']),
      ...{ STATUS_BIND_ADDRESS: '0', METRICS_BIND_ADDRESS: '0', HEALTH_PROBE_BIND_ADDRESS: '0' },
    },
  );
  try {
    await Promise.race([daemon.said('Successfully created VM'), daemon.ended]);
    expect(daemon.stderr()).toContain('Successfully created VM');
  } finally {
    daemon.child.kill('SIGTERM');
    await daemon.ended;
    program.remove();
    rmSync(folder, { recursive: true });
  }
});
