import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TerraformVariable, type TerraformStack } from 'cdktf';
import * as fc from 'fast-check';
import { Image, Machine, ProxmoxCluster, type MachineProps } from '../../../constructs';
import { encode, literal } from '../../../constructs/private/tokens/encode';
import { ExternalData } from '../../../constructs/private/stack/external-data';
import { takeTokens } from '../../../constructs/private/tokens/tokens';
import { withoutNulls } from '../../../spec';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { nastyTree, sentFrom, type RunTime, type Sent } from '../../support/random/documents';

const DOCUMENTS = 1200;
const MACHINES = 60;
const SEED = 20261121;

// In the place of the reconciler: it keeps what Terraform sends it, and answers nothing.
const LISTENER = `
const { readFileSync, writeFileSync } = require('node:fs');
writeFileSync('received.' + process.argv[2] + '.json', readFileSync(0));
console.log('{}');
`;

describeEachEngine('the encoder', engine => {
  let lab: Deployment;
  const runTime: RunTime = {};
  const documents: Sent[] = [];
  const machines: Sent[] = [];
  const received = (verb: string) =>
    JSON.parse(readFileSync(path.join(lab.folder, `received.${verb}.json`), 'utf8')) as Record<
      string,
      string
    >;

  beforeAll(async () => {
    lab = await deployment(engine);
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab');
      new TerraformVariable(stack, 'run', { type: 'any' });
      const trees = fc.sample(nastyTree, { numRuns: DOCUMENTS + MACHINES, seed: SEED });
      const sent = trees.map(tree => sentFrom(stack, tree, runTime));
      documents.push(...sent.slice(0, DOCUMENTS));
      machines.push(...sent.slice(DOCUMENTS));
      query(stack, documents);
      machines.forEach(({ given }, place) => new Machine(stack, `m${place}`, machineProps(given)));
    });
    // ASCII, because Terraform cannot read a quote after some letters
    lab.put('terraform.tfvars.json', literal(JSON.stringify({ run: runTime })));
    const [program = ''] = readdirSync(path.join(lab.folder, 'proxmox')).filter(name =>
      /^reconciler\.\w+\.cjs$/.test(name),
    );
    for (const file of [path.join('proxmox', program), 'listener.cjs']) lab.put(file, LISTENER);
    const { code, text } = await lab.plan();
    if (code !== 2) throw new Error(text);
  });
  afterAll(() => lab.close());

  test(`${DOCUMENTS} documents arrive as they were said, seed ${SEED}`, () => {
    const texts = received('documents');
    expect(Object.keys(texts).length).toBe(DOCUMENTS);
    documents.forEach(({ given, expected }, place) => {
      const text = texts[`d${place}`] ?? '';
      expect([text, plain(JSON.parse(text))]).toEqual([text, plain(expected)]);
      if (takeTokens(given).tokens.length === 0) expect(text).toMatch(/^[ -~]*$/);
    });
  });

  test('so do specs of machines', () => {
    const specs = received('observe');
    machines.forEach(({ expected: document }, place) => {
      const id = `m${place}`;
      expect(plain(JSON.parse(specs[`spec.${id}`] ?? ''))).toEqual(
        plain({ id, image: { template: 9000 }, cloudInit: { userData: { document } } }),
      );
    });
  });
});

describeEachEngine('a description of many kinds of characters', engine => {
  test('reaches Proxmox as it was said, and comes to rest', async () => {
    const lab = await deployment(engine);
    const said = 'It\'s "${HOME}" $${a} %{ if } C:\\n\\\n\u0301 tab\t e\u0301 \u2028 \u0605" 😀 <&>';
    const run = 'a "quoted" \\ ${line}\nand %{another}';
    try {
      await lab.synth(stack => {
        new ProxmoxCluster(stack, 'lab');
        const given = new TerraformVariable(stack, 'run', { type: 'string' });
        const image = Image.fromTemplate('ubuntu-22.04');
        new Machine(stack, 'literal', { image, description: said });
        new Machine(stack, 'mixed', { image, description: `$${given.stringValue}{"x"}` });
      });
      lab.put('terraform.tfvars.json', JSON.stringify({ run }));
      expect(await lab.apply()).toMatchObject({ code: 0 });
      expect(lab.guest('literal')?.config['description']).toContain(said);
      expect(lab.guest('mixed')?.config['description']).toContain(`$${run}{"x"}`);
      expect(await lab.plan()).toMatchObject({ code: 0 });
    } finally {
      await lab.close();
    }
  });
});

function query(stack: TerraformStack, documents: readonly Sent[]): void {
  new ExternalData(stack, 'documents', {
    name: 'documents',
    program: ['node', '${path.module}/listener.cjs', 'documents'],
    query: () =>
      Object.fromEntries(documents.map(({ given }, place) => [`d${place}`, encode(takeTokens(given))])),
  });
}

function machineProps(document: unknown): MachineProps {
  const fields = { image: Image.fromTemplate(9000), cloudInit: { userData: { document } } };
  return fields as MachineProps;
}

/** As it is in JSON; what is null was not said. */
function plain(document: unknown): unknown {
  return withoutNulls(JSON.parse(JSON.stringify(document)));
}
