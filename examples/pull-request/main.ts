import { App, LocalBackend, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster } from '../../constructs';

const app = new App();
const stack = new TerraformStack(app, 'web');
// In its place, put the backend that your pipeline shares.
new LocalBackend(stack, { path: '../../../terraform.web.tfstate' });

new ProxmoxCluster(stack, 'lab');
new Machine(stack, 'web', {
  image: Image.fromTemplate('ubuntu-22.04'),
  memory: process.env['WEB_MEMORY'] ?? '1Gi',
});

app.synth();
