import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseDesiredState } from '../../../spec';
import { adoptedPrograms } from '../../support/runs/adoption-faults';
import { programFolder, runProgram } from '../../support/constructs/program-folder';

const root = path.resolve(__dirname, '..', '..', '..');
const here = (text: string, constructs: string): string => text.replace("'cdktf-proxmox'", `'${constructs}'`);

test('the program in TypeScript compiles, and synthesizes what the one in JSON says', async () => {
  const { typescript, json } = await adoptedPrograms(7, 12);
  expect(typescript).toMatch(
    /^for \(const \[id, vmid, description, macAddress, macAddress2\] of \[\n(?: {2}\['front-\d', .*\n){3}\]/m,
  );
  const program = await programFolder(here(typescript, './constructs'));
  const typed = mkdtempSync(path.join(root, '.adopted-'));
  try {
    program.putReconciler('// a reconciler');
    expect(runProgram(program.folder)).toEqual({ status: 0, stderr: '' });
    const file = path.join(program.folder, 'cdktf.out', 'stacks', 'lab', 'proxmox', 'lab.json');
    const [said, synthesized] = [json, readFileSync(file, 'utf8')].map(text => {
      const parsed = parseDesiredState(JSON.parse(text));
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
      const { machines, ...rest } = parsed.value;
      return { ...rest, machines: Object.fromEntries(machines.map(machine => [machine.id, machine])) };
    });
    expect(synthesized).toEqual(said);
    writeFileSync(path.join(typed, 'main.ts'), here(typescript, '../constructs'));
    const options = { compilerOptions: { noEmit: true }, extends: '../tsconfig.json', include: ['main.ts'] };
    writeFileSync(path.join(typed, 'tsconfig.json'), JSON.stringify(options));
    execFileSync(process.execPath, [path.join(root, 'node_modules', '.bin', 'tsc'), '-p', typed], {
      encoding: 'utf8',
    });
  } finally {
    program.close();
    rmSync(typed, { recursive: true });
  }
});
