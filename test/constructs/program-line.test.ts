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

test('an error begins with the line of the program where the construct stands', () => {
  const { stack: trace = '' } = new Error('here');
  const [, here] = /program-line\.test\.ts:(\d+)/.exec(trace) ?? [];
  const said = messageOf(() => new Machine(stack(), 'web', { image: Image.blank(), memory: '1Mi' }));
  expect(said).toMatch(
    RegExp(`^test/constructs/program-line\\.test\\.ts:${Number(here) + 2}: web/web: memory`),
  );
});

test('a function of the program that makes it is the line: the nearest call', () => {
  const make = (id: string) => new Machine(stack(), id, { image: Image.blank(), cpu: { cores: 0 } });
  expect(messageOf(() => make('db'))).toMatch(/^test\/constructs\/program-line\.test\.ts:30: web\/db: cpu/);
});
