import { Testing, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster } from '../../constructs';

function stack(): TerraformStack {
  const made = new TerraformStack(Testing.app(), 'web');
  new ProxmoxCluster(made, 'lab');
  return made;
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing was wrong';
}

/** The line of this file that is being run by who calls this. */
function lineHere(): number {
  const { stack: trace = '' } = new Error('here');
  const [, last] = [...trace.matchAll(/program-line\.test\.ts:(\d+)/g)].map(([, line]) => Number(line));
  return last ?? 0;
}

test('an error begins with the line of the program where the construct stands', () => {
  const here = lineHere();
  const said = messageOf(() => new Machine(stack(), 'web', { image: Image.blank(), memory: '1Mi' }));
  expect(said).toContain(`test/constructs/program-line.test.ts:${here + 1}: web/web: machines[web].memory`);
  expect(said).toMatch(/^test/);
});

test('where a function of the program makes it, the line is the nearest: the one in the function', () => {
  const here = lineHere();
  const make = (id: string) => new Machine(stack(), id, { image: Image.blank(), cpu: { cores: 0 } });
  const said = messageOf(() => make('db'));
  expect(said).toContain(`program-line.test.ts:${here + 1}: web/db: machines[db].cpu.cores`);
});
