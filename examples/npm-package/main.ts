import { App, LocalBackend, TerraformOutput, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster } from 'cdktf-proxmox';

const app = new App();
const stack = new TerraformStack(app, 'team');
new LocalBackend(stack, { path: '../../../terraform.team.tfstate' });

new ProxmoxCluster(stack, 'lab');
const web = new Machine(stack, 'web', { image: Image.fromTemplate('ubuntu-22.04'), memory: '1Gi' });
new TerraformOutput(stack, 'vmid', { value: web.vmid });

app.synth();
