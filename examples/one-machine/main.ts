import { App, LocalBackend, TerraformOutput, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster } from '../../constructs';

const app = new App();
const stack = new TerraformStack(app, 'one-machine');
new LocalBackend(stack, { path: '../../../terraform.one-machine.tfstate' });

// Endpoint and credentials come from the environment of whoever runs it: PVE_ENDPOINT, PVE_TOKEN_ID, PVE_TOKEN_SECRET.
new ProxmoxCluster(stack, 'lab');

const web = new Machine(stack, 'web', {
  image: Image.fromTemplate('ubuntu-22.04'),
  cpu: { cores: 2 },
  memory: '2Gi',
  disks: [{ name: 'root', size: '20G' }],
  networks: [{ name: 'lan', ipv4: 'dhcp' }],
  agent: true,
  cloudInit: { user: 'ops' },
});

new TerraformOutput(stack, 'address', { value: web.primaryIpAddress });
new TerraformOutput(stack, 'console', { value: web.consoleUrl });

app.synth();
