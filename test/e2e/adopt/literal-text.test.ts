import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTokenDouble } from 'cdktf/lib/tokens/private/encoding';
import fc from 'fast-check';
import type { Program } from '../../../reconciler/adopt/program';
import { FORMS } from '../../../reconciler/adopt/text/forms';
import { programFolder, runProgram } from '../../support/constructs/program-folder';
import { documentsOf } from '../../support/manifests/documents-of';
import { describeEachEngine, environmentFor } from '../../support/terraform/engines';

const MARKS = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap(index => [
  `\${TfToken[TOKEN.${index}]}`,
  `#{TfToken[TOKEN.${index}]}`,
  `&{TfToken[TOKEN.${index}]}`,
  String(createTokenDouble(index, false)),
  String(createTokenDouble(index, true)),
  String(createTokenDouble(index, false)).replace('e+', '0e'),
]);
const PIECES = [
  ...['${var.secret}', '%{ if true }', '$${', '%%{', '$', '%', '{', '}', '\\', '"', "'", '`', '\n', '\b'],
  ...['\f', '\u2028', '\u00e9', '\u0000', '\u{1f600}', 'a', '//', '*/', '#', '<<EOT', '${', '\\u0024{', '\t'],
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...PIECES, ...MARKS)), {
    minLength: 1,
    maxLength: 12,
  })
  .map(pieces => pieces.join(''));
const TEXTS = [...MARKS, ...PIECES, ...fc.sample(text, { numRuns: 150, seed: 25 })];
const program: Program = {
  owner: 'o',
  cluster: { name: 'lab' },
  machines: TEXTS.map((description, index) => ({
    json: { id: `m${index}`, adopt: true, vmid: 1000 + index, description },
    unmanaged: [],
  })),
};
const isMark = (told: string): boolean => /[$#&]\{TfToken\[|\de\+?2\d\d/.test(told);

test('TypeScript: no text of others reads a value of the program, by the real synthesizer', async () => {
  const secret = `const secret = new TerraformVariable(stack, 'secret', { sensitive: true, default: 'x' });
    for (let i = 0; i < 4; i += 1) void [secret.stringValue, secret.numberValue, secret.listValue];`;
  const source = FORMS['typescript']!(program)
    .replace("'cdktf-proxmox'", "'./constructs'")
    .replace('import { App,', 'import { TerraformVariable, App,')
    .replace('\n\nnew ProxmoxCluster', `\n${secret}\n\nnew ProxmoxCluster`);
  const made = await programFolder(source);
  try {
    made.putReconciler('// a reconciler');
    expect(runProgram(made.folder)).toEqual({ status: 0, stderr: '' });
    const stack = path.join(made.folder, 'cdktf.out', 'stacks', 'lab');
    expect(readFileSync(path.join(stack, 'cdk.tf.json'), 'utf8')).not.toMatch(/\$\{[^}"]*var\.secret/);
    const { machines } = JSON.parse(readFileSync(path.join(stack, 'proxmox', 'lab.json'), 'utf8')) as {
      machines: { id: string; description?: string }[];
    };
    const said = new Map(machines.map(({ id, description }) => [id, description]));
    const wrong = TEXTS.flatMap((wanted, index) => {
      const have = said.get(`m${index}`);
      return have === wanted || (have === undefined && isMark(wanted)) ? [] : [{ wanted, have }];
    });
    expect(wrong).toEqual([]);
    expect(source).toContain('description (cdktf would take its text for a value)');
  } finally {
    made.close();
  }
});

describeEachEngine('HCL', engine => {
  test('each text comes out of the engine as it was', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'literal-'));
    try {
      writeFileSync(path.join(folder, 'main.tf'), FORMS['hcl']!(program).replace(/\nmodule "[^]*$/, ''));
      const told = execFileSync(engine.path, ['console'], {
        cwd: folder,
        input: 'base64encode(jsonencode({ for id, x in local.machines : id => x.description }))\n',
        encoding: 'utf8',
        env: environmentFor(engine),
      });
      const texts = JSON.parse(Buffer.from(told.trim().slice(1, -1), 'base64').toString()) as object;
      expect(texts).toEqual(
        Object.fromEntries(TEXTS.map((wanted, index) => [`m${index}`, wanted.normalize('NFC')])),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('YAML: each text is read as it was', async () => {
  const [document] = await documentsOf(FORMS['yaml']!(program), 'x.yaml');
  expect(document!.json).toEqual(JSON.parse(FORMS['json']!(program)));
});
