import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describeEachEngine, environmentFor } from '../../support/terraform/engines';

const run = promisify(execFile);

/** A program that Terraform asks: it answers its query, and writes its arguments down when it is told to act. */
const program = `
const fs = require('node:fs');
if (process.argv[2] === 'ask') {
  const query = JSON.parse(fs.readFileSync(0, 'utf8'));
  process.stdout.write(JSON.stringify({ greeting: 'hello ' + query.name }));
} else fs.appendFileSync(process.env.DIARY, process.argv[2] + ' ' + process.env.NAME + '\\n');
`;

function configuration(diary: string) {
  const node = [process.execPath, '${path.module}/program.js'];
  const act = (verb: string, more = {}) => ({
    'local-exec': {
      interpreter: node,
      command: verb,
      environment: { DIARY: diary, NAME: '${self.triggers.name}' },
      ...more,
    },
  });
  return {
    terraform: {
      required_providers: {
        null: { source: 'hashicorp/null', version: '>= 1.0.0' },
        external: { source: 'hashicorp/external', version: '>= 1.2.0' },
      },
    },
    data: { external: { asked: { program: [...node, 'ask'], query: { name: 'machine' } } } },
    resource: {
      null_resource: {
        acted: {
          triggers: { name: '${data.external.asked.result.greeting}' },
          provisioner: [act('apply'), act('destroy', { when: 'destroy' })],
        },
      },
    },
    output: { greeting: { value: '${data.external.asked.result.greeting}' } },
  };
}

describeEachEngine('an engine with the null and external providers', engine => {
  const folder = mkdtempSync(path.join(tmpdir(), 'engine test '));
  const diary = path.join(folder, 'diary');
  const said = () => readFileSync(diary, 'utf8').trim().split('\n');

  /** Gives the exit code; prints the engine's words when it is none of the expected. */
  async function exitOf(args: string[], expected: number[]): Promise<number> {
    const options = { cwd: folder, env: environmentFor(engine) };
    const outcome = await run(engine.path, [...args, '-input=false', '-no-color'], options).then(
      ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        text: error.stdout + error.stderr,
      }),
    );
    if (!expected.includes(outcome.code)) console.error(outcome.text);
    return outcome.code;
  }

  beforeAll(() => {
    // What a person has set would break each command, if it came through.
    process.env.TF_CLI_ARGS = '-no-such-flag';
    process.env.TF_CLI_CONFIG_FILE = path.join(folder, 'no-such-file');
    writeFileSync(path.join(folder, 'program.js'), program);
    writeFileSync(path.join(folder, 'main.tf.json'), JSON.stringify(configuration(diary)));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('init installs both from our mirror', async () => {
    expect(await exitOf(['init'], [0])).toBe(0);
  });
  test('plan says that something is to do', async () => {
    expect(await exitOf(['plan', '-detailed-exitcode'], [2])).toBe(2);
  });
  test('apply runs the program with what the data source answered', async () => {
    expect(await exitOf(['apply', '-auto-approve'], [0])).toBe(0);
    expect(said()).toEqual(['apply hello machine']);
    const { stdout } = await run(engine.path, ['output', '-json'], {
      cwd: folder,
      env: environmentFor(engine),
    });
    expect(JSON.parse(stdout).greeting.value).toBe('hello machine');
  });
  test('a second plan has nothing to do', async () => {
    expect(await exitOf(['plan', '-detailed-exitcode'], [0])).toBe(0);
  });
  test('destroy runs the program once more and leaves nothing', async () => {
    expect(await exitOf(['destroy', '-auto-approve'], [0])).toBe(0);
    expect(said()).toEqual(['apply hello machine', 'destroy hello machine']);
    expect(JSON.parse(readFileSync(path.join(folder, 'terraform.tfstate'), 'utf8')).resources).toEqual([]);
  });
});
