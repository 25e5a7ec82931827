import { App, LocalBackend, TerraformOutput, TerraformStack } from 'cdktf';
import { Image, Machine, MachineClass, ProxmoxCluster } from '../../constructs';

const app = new App();
const stack = new TerraformStack(app, 'web-and-database');
new LocalBackend(stack, { path: '../../../terraform.web-and-database.tfstate' });

const lab = new ProxmoxCluster(stack, 'lab', {
  nodes: ['pve1', 'pve2', 'pve3'],
  defaults: { image: Image.fromTemplate('ubuntu-22.04', { clone: 'full' }), agent: true },
});
const small = new MachineClass({ name: 'small', cpus: 2, memory: '1Gi' });

const database = new Machine(stack, 'database', {
  cluster: lab,
  node: 'pve1',
  cpu: { cores: 4 },
  memory: '4Gi',
  disks: [
    { name: 'root', size: '20G' },
    { name: 'data', size: '50G', onRemove: 'keep' },
  ],
  networks: [{ name: 'lan', ipv4: 'dhcp' }],
  tags: ['database'],
  protection: false,
});

for (const [index, node] of ['pve2', 'pve3'].entries()) {
  new Machine(stack, `web-${index + 1}`, {
    cluster: lab,
    class: small,
    node,
    networks: [{ name: 'lan', ipv4: 'dhcp' }],
    tags: ['web'],
    // An output of one machine used by another: Terraform makes the database first.
    description: `Serves pages; its database is at ${database.primaryIpAddress}.`,
  });
}

new TerraformOutput(stack, 'database-address', { value: database.primaryIpAddress });

app.synth();
