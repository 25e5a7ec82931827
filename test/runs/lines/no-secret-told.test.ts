import { desiredText, type CliLab } from '../../support/processes/cli';
import { lineLab, runHere } from '../../support/runs/line-lab';

const web = { id: 'web', image: { template: 'ubuntu-22.04' }, networks: [{ name: 'lan' }] };

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
});
afterEach(() => lab.close());

describe('no secret is told', () => {
  const PLANTED = 'pl4nted-s3cret';
  const secrets = (lab_: CliLab) => ({
    token: { ...lab_.access, PVE_TOKEN_SECRET: PLANTED },
    password: {
      ...lab_.access,
      PVE_TOKEN_ID: '',
      PVE_TOKEN_SECRET: '',
      PVE_USERNAME: 'root@pam',
      PVE_PASSWORD: PLANTED,
      PVE_TOTP_SECRET: 'PL4NTEDS3CRET',
    },
    faulty: {
      PVE_ENDPOINT: `https://me:${PLANTED}@host`,
      PVE_TOKEN_ID: `root@pam!t=${PLANTED}`,
      PVE_TOKEN_SECRET: `${PLANTED} `,
      PVE_USERNAME: PLANTED,
      PVE_PASSWORD: PLANTED,
      PVE_TOTP_SECRET: `${PLANTED}!`,
      PVE_CA_BUNDLE: `-----BEGIN ${PLANTED}`,
      PVE_CLIENT_KEY: `-----BEGIN ${PLANTED}`,
      PVE_FINGERPRINT: '00',
    },
  });
  const machine = { ...web, cloudInit: { user: 'me', passwordFrom: { environment: 'GUEST_PASSWORD' } } };
  const commands = (): [string[], Record<string, string>, string][] => {
    const cluster = JSON.stringify({ name: 'lab' });
    const wire = {
      ...{ PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: cluster, PROXMOX_OWNER: 'o', PROXMOX_MACHINE: 'web' },
      ...{ PROXMOX_ENTRY: 'e', PROXMOX_TOKEN: '', PROXMOX_SPEC: JSON.stringify(machine) },
    };
    const query = { protocol: '1', cluster, owner: 'o' };
    return [
      [['plan', '--spec', '-', '--json'], {}, desiredText([machine])],
      [['reconcile', '--spec', '-', '--json'], {}, desiredText([machine])],
      [['status', '--spec', '-'], {}, desiredText([machine])],
      [['observe'], {}, JSON.stringify({ ...query, 'spec.web': JSON.stringify(machine) })],
      [['apply'], wire, ''],
      [['destroy'], wire, ''],
      [['facts'], {}, JSON.stringify(query)],
    ];
  };

  test.each(['token', 'password', 'faulty'] as const)('when the %s is wrong', async kind => {
    for (const [args, env, input] of commands()) {
      const all = { ...secrets(lab)[kind], ...env, LOG_LEVEL: 'debug', GUEST_PASSWORD: PLANTED };
      const { code, stdout, stderr } = await runHere(args, all, input);
      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toMatch(/pl4nted/i);
    }
  });

  test('when all goes well: neither a credential nor the hash of a password', async () => {
    for (const [args, env, input] of commands()) {
      const all = { ...lab.access, ...env, LOG_LEVEL: 'debug', LOG_FORMAT: 'json', GUEST_PASSWORD: PLANTED };
      const { stdout, stderr } = await runHere(args, all, input);
      expect(stdout + stderr).not.toMatch(/pl4nted|11111111-1111-4111-8111-111111111111|\$6\$/i);
    }
    expect(lab.guests('web')[0]?.config['cipassword']).toBeDefined();
  });
});
