import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesIn, programFolder, runProgram } from '../support/constructs/program-folder';

const SOURCE = `
import { App, LocalBackend, TerraformOutput, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, ProxmoxNode } from './constructs';
const app = new App();
const stack = new TerraformStack(app, 'web');
new LocalBackend(stack, { path: 'terraform.tfstate' });
new ProxmoxCluster(stack, 'lab');
const node = new ProxmoxNode(stack, 'pve1');
const db = new Machine(stack, 'db', { image: Image.fromTemplate('debian-13') });
new Machine(stack, 'web', { image: Image.fromTemplate('debian-13'), description: db.primaryIpAddress });
new TerraformOutput(stack, 'guests', { value: node.vmCount });
app.synth();
`;

test('two checkouts in different folders, run in different places, in other languages and time zones, give the same bytes', async () => {
  const program = await programFolder(SOURCE);
  try {
    program.putReconciler('// a reconciler');
    const [one, other] = ['one', path.join('some where', 'else', 'ä')].map(program.copyTo) as [
      string,
      string,
    ];
    expect(runProgram(one)).toEqual({ status: 0, stderr: '' });
    const environment = {
      PVE_ENDPOINT: 'https://pve.example.com',
      PVE_TOKEN_SECRET: 'hidden',
      TZ: 'Asia/Tokyo',
      LC_ALL: 'tr_TR.UTF-8',
      HOME: path.join(other, 'home'),
      USER: 'somebody',
      CDKTF_OUTDIR: path.join(other, 'cdktf.out'),
    };
    expect(runProgram(other, environment, program.folder)).toEqual({ status: 0, stderr: '' });
    const files = filesIn(path.join(one, 'cdktf.out'));
    expect(Object.keys(files)).toEqual([
      'manifest.json',
      'stacks/web/cdk.tf.json',
      'stacks/web/proxmox/lab.json',
      expect.stringMatching(/^stacks\/web\/proxmox\/reconciler-program\.[0-9a-f]{12}\.cjs$/),
      expect.stringMatching(/^stacks\/web\/proxmox\/reconciler\.[0-9a-f]{12}\.cjs$/),
    ]);
    expect(filesIn(path.join(other, 'cdktf.out'))).toEqual(files);
    const text = Object.values(files)
      .map(file => Buffer.from(file, 'base64').toString())
      .join('\n');
    for (const place of [program.folder, process.cwd(), tmpdir()]) expect(text).not.toContain(`${place}/`);
  } finally {
    program.close();
  }
});

test('fails when the package has no reconciler, and says what to do', async () => {
  const program = await programFolder(SOURCE);
  try {
    const { status, stderr } = runProgram(program.folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /web: the reconciler is missing from the package: dist\/reconciler\.cjs\. Install the package/,
    );
  } finally {
    program.close();
  }
});
