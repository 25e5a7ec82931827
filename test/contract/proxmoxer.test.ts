import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Simulator } from '../../simulator';
import type { PythonPackages } from '../support/contract/python-packages';
import { pythonPackages } from '../support/contract/python-packages';
import { skipped } from '../support/skipped';
import { ROOT, TOKEN, startCluster } from '../support/cluster/start-cluster';

const PACKAGES = ['proxmoxer==2.3.0', 'requests==2.34.2'];
const TITLE = 'proxmoxer, unmodified, logs in with a password and a token, and does all that its users do';

const python = pythonPackages(PACKAGES);
if ('why' in python) skipped(TITLE, python.why);
else test(TITLE, () => playSession(python));

const sessionWith = (vmid: number) => ({
  nodes: ['pve1', 'pve2', 'pve3'],
  guests: [9000, 9001],
  create: 'OK',
  config: {
    name: 'made',
    cores: 2,
    memory: '512',
    description: 'a text; with = and ä',
    tags: 'a;b',
    scsi0: `local-lvm:vm-${vmid}-disk-0,size=1G`,
  },
  clone: 'OK',
  copy: 'copy',
  start: 'OK',
  status: 'running',
  stop: 'OK',
  upload: 'OK',
  isos: [`local:iso/of-${vmid}.iso`],
  [`delete ${vmid}`]: 'OK',
  [`delete ${vmid + 1}`]: 'OK',
  gone: `500 Configuration file 'nodes/pve1/qemu-server/${vmid}.conf' does not exist`,
});

async function playSession({ env }: Extract<PythonPackages, { env: unknown }>): Promise<void> {
  const simulator = await startCluster({ taskMs: 20 });
  try {
    const { code, output, errors } = await play(simulator, env);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(JSON.parse(output)).toEqual({ password: sessionWith(700), token: sessionWith(800) });
  } finally {
    await simulator.close();
  }
}

function play(
  { url }: Simulator,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string; errors: string }> {
  const script = join(__dirname, 'proxmoxer_session.py');
  const child = spawn('python3', [script, url, ROOT.password, TOKEN.id, TOKEN.secret], { env });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, output, errors }));
  });
}
