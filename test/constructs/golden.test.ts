import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TerraformVariable, type TerraformStack } from 'cdktf';
import { Image, Machine, MachineClass, ProxmoxNode, Reference } from '../../constructs';
import { synthesized, type Synthesized } from '../support/constructs/synthesized';

/**
 * What Terraform compares between two releases: the addresses and the triggers. A byte more or less in a trigger lets
 * every machine of every user show a change, so these files change only on purpose, and the change log says it.
 * GOLDEN=write npx jest --selectProjects unit --testPathPatterns golden writes them.
 */
const PROGRAMS: Record<string, (stack: TerraformStack) => void> = {
  minimal: stack => {
    new Machine(stack, 'web', { image: Image.fromTemplate('debian-13') });
  },
  typical: stack => {
    new ProxmoxNode(stack, 'pve1', { labels: { zone: 'a' }, maxVMs: 20 });
    const small = new MachineClass({ name: 'small', cpus: 2, memory: '4Gi', storage: { class: 'fast' } });
    new Machine(stack, 'db', {
      class: small,
      image: Image.fromTemplate(9000, { clone: 'full' }),
      vmid: 200,
      node: 'pve1',
      pin: true,
      memory: '8Gi',
      disks: [
        { name: 'root', size: '20G' },
        { name: 'data', size: '100G', ssd: true, discard: true },
      ],
      networks: [{ name: 'lan', vlan: 10, ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } }],
      tags: ['prod', 'db'],
      description: 'Orders.\nAsk "ops" before $' + '{this}.',
      cloudInit: { user: 'admin', passwordFrom: Reference.fromEnvironment('DB_PASSWORD') },
      restart: 'whenNeeded',
      formerIds: ['database'],
    });
  },
  tokens: stack => {
    const given = new TerraformVariable(stack, 'given', { type: 'string' });
    new Machine(stack, 'web', {
      image: Image.fromTemplate(given.stringValue),
      description: `made for ${given.stringValue}: "100%" ü`,
      cpu: { cores: given.numberValue },
      tags: given.listValue,
      onBoot: given.value,
    });
  },
};

test.each(Object.entries(PROGRAMS))('%s: the same bytes as the release before', (name, build) => {
  const file = path.join(__dirname, 'golden', `${name}.json`);
  const text = `${JSON.stringify(compared(synthesized(build)), null, 2)}\n`;
  if (process.env['GOLDEN'] === 'write') writeFileSync(file, text);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text);
});

test('the minimal spec is what was said, and nothing else', () => {
  const { specText } = synthesized(PROGRAMS['minimal']!);
  expect(specText('web')).toBe('{"id":"web","image":{"template":"debian-13"}}');
});

test('the order in which a program says things does not count', () => {
  const one = synthesized(stack => {
    new Machine(stack, 'web', { image: Image.blank(), memory: '1Gi', tags: ['b', 'a'] });
    new Machine(stack, 'db', { image: Image.blank() });
  });
  const other = synthesized(stack => {
    new Machine(stack, 'db', { image: Image.blank() });
    new Machine(stack, 'web', { tags: ['a', 'b', 'a'], memory: 2 ** 30, image: Image.blank() });
  });
  expect(other.text).toBe(one.text);
});

function compared({ resources, desiredState }: Synthesized): object {
  const triggers = Object.entries(resources('null_resource')).map(([name, resource]) => [
    `null_resource.${name}`,
    { for_each: resource['for_each'], triggers: resource['triggers'] },
  ]);
  return { ...(Object.fromEntries(triggers) as object), 'proxmox/lab.json': desiredState() };
}
