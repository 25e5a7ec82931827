import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describeEachEngine, environmentFor } from '../../support/terraform/engines';
import { skipped } from '../../support/skipped';

const run = promisify(execFile);
const root = path.resolve(__dirname, '..', '..', '..');
const cdktf = path.join(root, '.engine', 'cdktf-cli', 'node_modules', '.bin', 'cdktf');

const app = `
const { App, LocalBackend, TerraformOutput, TerraformStack } = require('cdktf');
const { NullProvider } = require('@cdktf/provider-null/lib/provider');
const { Resource } = require('@cdktf/provider-null/lib/resource');
const app = new App();
const stack = new TerraformStack(app, 'small');
new LocalBackend(stack, { path: __dirname + '/small.tfstate' });
new NullProvider(stack, 'null');
const resource = new Resource(stack, 'made', { triggers: { name: 'machine' } });
new TerraformOutput(stack, 'name', { value: resource.triggers, staticId: true });
stack.addOverride('terraform.required_providers.null.version', '>= 1.0.0');
app.synth();
`;

function whyNot(): string | undefined {
  // Its terminal library brings no binary for later ones.
  if (Number(process.versions.node.split('.')[0]) > 22) return 'cdktf-cli 0.21 runs on node up to 22';
  return existsSync(cdktf) ? undefined : 'run npm run setup cdktf-cli first';
}

const reason = whyNot();
if (reason) skipped('the cdktf command', reason);
else {
  describeEachEngine('the cdktf command', engine => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cdktf test '));
    const env = { ...environmentFor(engine), NODE_PATH: path.join(root, 'node_modules') };
    const cdktfDoes = (...args: string[]) => run(cdktf, args, { cwd: folder, env });

    beforeAll(() => {
      writeFileSync(path.join(folder, 'main.js'), app);
      const settings = {
        language: 'typescript',
        app: 'node main.js',
        projectId: 'engine-test',
        sendCrashReports: 'false',
      };
      writeFileSync(path.join(folder, 'cdktf.json'), JSON.stringify(settings));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test('deploys, tells the outputs and destroys, with our providers', async () => {
      await cdktfDoes('deploy', '--auto-approve');
      const { stdout } = await cdktfDoes('output', '--skip-synth');
      expect(stdout).toContain('"name": "machine"');
      const destroyed = await cdktfDoes('destroy', '--auto-approve');
      expect(destroyed.stdout).toMatch(/1 destroyed/);
    });
  });
}
