import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { desiredStates } from '../../../reconciler/input/desired-states';
import { queryOf } from '../../../reconciler/input/wire-input';
import { InputError } from '../../../reconciler/errors';
import { Reporter } from '../../../reconciler/report/reporter';

const folder = mkdtempSync(join(tmpdir(), 'terraform-words-'));
afterAll(() => rmSync(folder, { recursive: true }));
const stack = join(folder, 'stacks', 'web');
mkdirSync(join(stack, 'proxmox'), { recursive: true });

const around = {
  environment: {},
  readInput: () => Promise.resolve(''),
  out: () => undefined,
  reporter: new Reporter({ write: () => undefined, level: 'error', json: false, columns: undefined }),
  signal: new AbortController().signal,
};
const OWNER = 'shop/edge/${terraform.workspace}';
const document = (owner: string, machine: object = {}): string =>
  JSON.stringify({
    ...{ version: 1, owner, cluster: { name: 'edge' } },
    machines: [{ id: 'web', image: { template: 9000 }, ...machine }],
  });
const file = join(stack, 'proxmox', 'edge.json');
const write = (text: string): void => writeFileSync(file, text);

test('the file of a stack is refused: its folder says who owns the machines', async () => {
  write(document(OWNER));
  const refused = desiredStates({ spec: [file] }, around);
  await expect(refused).rejects.toThrow(InputError);
  await expect(refused).rejects.toThrow(`Give the folder of the stack instead of its file: --spec ${stack}.`);
  const { states } = await desiredStates({ spec: [stack] }, around);
  expect(states.map(({ owner }) => owner)).toEqual(['shop/edge/default']);
});

test('so is any other file with such an owner, with the field by its machine', async () => {
  const other = join(folder, 'desired.json');
  writeFileSync(other, document('a/${var.team}', { description: 'of ${terraform.workspace}' }));
  const said = String(await desiredStates({ spec: [other] }, around).catch(String));
  expect(said).toContain('owner: "a/${var.team}" holds a value that only Terraform knows. Write it out');
  expect(said).toContain('machine web, description:');
});

test('a text of a shell may hold ${', async () => {
  write(document('shop/edge', { cloudInit: { userData: '#cloud-config\nruncmd: ["echo ${HOME}"]\n' } }));
  expect((await desiredStates({ spec: [file] }, around)).states).toHaveLength(1);
});

test('--owner of manifests and the owner of a query are refused', async () => {
  const manifests = desiredStates({ manifests: ['-'], owner: OWNER }, around);
  await expect(manifests).rejects.toThrow(
    `--owner: "${OWNER}" holds a value of Terraform. Write the owner out.`,
  );
  const query = JSON.stringify({ protocol: '1', owner: OWNER });
  expect(() => queryOf(query, z.any())).toThrow(/^the query, owner: .* Nothing was sent\.$/);
});
