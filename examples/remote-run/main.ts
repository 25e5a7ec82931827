import { App, LocalBackend, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster } from '../../constructs';

const app = new App();
const stack = new TerraformStack(app, 'remote');
// It stands for the state that your runners share: in its place, put your own backend.
new LocalBackend(stack, { path: '../terraform.tfstate' });

new ProxmoxCluster(stack, 'lab');
new Machine(stack, 'web', { image: Image.fromTemplate('ubuntu-22.04'), memory: '1Gi' });

app.synth();
