import { reviewPlan } from '../../../reconciler/review/review-plan';
import { differs, planOf } from '../../support/review/plan-document';

const review = (text: string) => reviewPlan(text, 'plan.json');

describe('cloud-init data is told by its lines', () => {
  const changed = differs('live', [{ field: 'cloudInit', from: 'a', to: 'b', effect: 'live' }]);
  const planWith = (was: object, is: object, sensitive = false): string => {
    const json = JSON.parse(planOf({ web: changed }, { spec: { id: 'web', cloudInit: was } })) as {
      resource_changes: { name: string; change: object }[];
      prior_state: {
        values: { root_module: { resources: { mode: string; values: { query: Record<string, string> } }[] } };
      };
    };
    const observer = json.prior_state.values.root_module.resources.find(({ mode }) => mode === 'data')!;
    observer.values.query['spec.web'] = JSON.stringify({ id: 'web', cloudInit: is });
    const revision = json.resource_changes.find(({ name }) => name === 'machine_lab_web')!;
    if (sensitive) Object.assign(revision.change, { after_sensitive: { triggers: { spec: true } } });
    return JSON.stringify(json);
  };
  const notes = (...given: Parameters<typeof planWith>) => review(planWith(...given)).machines[0]?.notes;

  test('lines that go and come, of text and of an object', () => {
    const was = { userData: '#cloud-config\npackages:\n  - nginx\n' };
    expect(notes(was, { userData: '#cloud-config\npackages:\n  - caddy\n' })).toEqual([
      'cloudInit.userData changes in 2 lines:',
      '-   - nginx',
      '+   - caddy',
    ]);
    expect(notes({ userData: { packages: ['a'] } }, { userData: { packages: ['a', 'b'] } })).toEqual([
      'cloudInit.userData changes in 1 line:',
      '+   - b',
    ]);
    expect(notes({ metaData: 'a: 1\nb: 2' }, { metaData: 'b: 2\na: 1' })).toEqual([
      'cloudInit.metaData: its lines come in another order.',
    ]);
  });

  test('a long change is cut; what may be a secret is not shown', () => {
    const many = Array.from({ length: 25 }, (_, at) => `line ${at}`).join('\n');
    expect(notes({ userData: 'x' }, { userData: `x\n${many}` })?.at(-1)).toBe('and 5 lines more.');
    const said = notes(
      {},
      { userData: `password: hunter2\nkey: ${'A1'.repeat(30)}\nusers:\n- hash: $6$abc$def\n- me` },
    );
    expect(said).toEqual([
      'cloudInit.userData changes in 5 lines:',
      '+ password: (may be a secret)',
      '+ key: (may be a secret)',
      '+ users:',
      '+ - hash: (may be a secret)',
      '+ - me',
    ]);
    expect(notes({ userData: 'a' }, { userData: 'b' }, true)).toEqual([
      'cloudInit.userData changes. The spec holds a sensitive value: no line of it is shown.',
    ]);
  });

  const chpasswd = (password: string): string =>
    `#cloud-config\nchpasswd:\n  list: |\n    root:${password}\n`;
  const HORSE: [what: string, data: string | object][] = [
    ['chpasswd.list as a block', chpasswd('correct horse')],
    ['chpasswd.list below a comment', '#cloud-config\nchpasswd:\n# who may\n  list: |\n    root:horse\n'],
    ['chpasswd.list as a list at its own column', 'chpasswd:\n  list:\n  - root:horse\n  - me:horse\n'],
    ['chpasswd as an object', { chpasswd: { list: ['root:horse'], users: [{ name: 'me', type: 'horse' }] } }],
    ['a block of its own', 'users:\n  - name: me\n    plain_text_passwd: >-\n      my horse\n'],
    ['a variable of a script', '#!/bin/sh\nexport DB_PASS=horse\nMYSQL_PWD=horse mysql\n'],
    ['a here-document', "#!/bin/sh\nchpasswd <<'EOF'\nroot:horse\nEOF\n"],
    ['a line that goes on', '#!/bin/sh\nmysql --password \\\nhorse\n'],
    ['a quotation that goes on at the left', 'password: "correct\nhorse"\n'],
    ['a quotation with escaped marks in it', '#!/bin/sh\nexport DB_PASS="my\n\\"very\nhorse"\n'],
    ['a quotation with lines that go on in it', '#!/bin/sh\nexport DB_PASS="my\\\nvery\nhorse"\n'],
    [
      'a key',
      'write_files:\n- content: |\n    -----BEGIN PRIVATE KEY-----\n    horse\n    -----END PRIVATE KEY-----\n',
    ],
    ['a file whose name says it', 'write_files:\n- content: |\n    - horse\n  path: /etc/db/password\n'],
    ['a patch', '#cloud-config-jsonp\n- op: add\n  path: /users/0/passwd\n  value: horse\n'],
    ['a command as a list', { runcmd: [['mysqladmin', 'password', 'horse']] }],
    ['a command as a list with an option', { runcmd: [['vault', 'login', '--token', 'horse'], ['true']] }],
    [
      'a file of JSON whose name says it',
      '{\n  "write_files": [\n    {\n      "path": "/etc/db/password",\n      "content": "horse"\n    }\n  ]\n}\n',
    ],
    ['a login in a URL', 'runcmd:\n- curl https://me:horse@example.com/\n'],
    [
      'the password of a radio network',
      { wifis: { w: { 'access-points': { home: { auth: { psk: 'horse' } } } } } },
    ],
  ];
  test.each(HORSE)('a password is not told, whatever stands above it: %s', (_, userData) => {
    for (const [was, is] of [
      [{}, { userData }],
      [{ userData }, {}],
    ] as const) {
      const said = notes(was, is)?.join('\n');
      expect(said).toContain('(may be a secret)');
      expect(said).not.toContain('horse');
    }
  });

  test('what follows a secret is told again', () => {
    expect(
      notes({ userData: chpasswd('one') }, { userData: `${chpasswd('two')}packages:\n- nginx\n` }),
    ).toEqual([
      'cloudInit.userData changes in 4 lines:',
      '- (may be a secret)',
      '+ (may be a secret)',
      '+ packages:',
      '+ - nginx',
    ]);
    const script = (password: string): string => `#!/bin/sh\nchpasswd <<EOF\nme:${password}\nEOF\n`;
    expect(
      notes({ userData: script('one') }, { userData: `${script('two')}systemctl restart web\n` })?.at(-1),
    ).toBe('+ systemctl restart web');
  });

  const CLOSED: [what: string, line: string][] = [
    ['an apostrophe in a quotation', `echo "root's password is set"`],
    ['a mark in a quotation of the other sort', `PASSWORD='a"b'`],
    ['a string in the place of a file', 'read -r PASSWORD <<< word'],
  ];
  test.each(CLOSED)('what follows a secret that ends on its own line is told: %s', (_, line) => {
    expect(notes({}, { userData: `#!/bin/sh\n${line}\nsystemctl restart web` })).toEqual([
      'cloudInit.userData changes in 3 lines:',
      '+ #!/bin/sh',
      '+ (may be a secret)',
      '+ systemctl restart web',
    ]);
  });
});
