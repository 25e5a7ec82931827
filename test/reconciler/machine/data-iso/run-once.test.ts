import { userDataText } from '../../../../reconciler/machine/data-iso/user-data';
import { runOnce } from '../../../../reconciler/machine/data-iso/run-once';

const UNREADABLE = 'an unreadable part';
const OVERWRITES = 'fs_setup:\n  - device: b\n    overwrite: true\n';
const FORMATS = { bootcmd: [], fs_setup: [{ device: 'b', overwrite: true }] };
const ARCHIVE = JSON.stringify(['#cloud-config\n', { type: 'text/cloud-config', content: OVERWRITES }]);
const config = (text: string): string => `#cloud-config\n${text}`;
/** Two parts, as Terraform's `cloudinit_config` writes them. */
const mail = (one: string, other: string, encoding = '7bit'): string =>
  [
    'Content-Type: multipart/mixed; boundary="B"\nMIME-Version: 1.0\n',
    `--B\nContent-Type: text/cloud-config\n\n#cloud-config\n${one}`,
    `--B\nContent-Transfer-Encoding: ${encoding}\nContent-Type: text/plain\n\n#cloud-config\n${other}`,
    '--B--\n',
  ].join('\n');

test.each<[string, string | Record<string, never> | object, string[], string[]]>([
  ['an object', { fs_setup: [{ overwrite: true }], runcmd: ['x'] }, ['fs_setup', 'runcmd'], ['fs_setup']],
  [
    'text',
    config('fs_setup:\n- device: /dev/sdb\n  overwrite: yes\nusers: []\n'),
    ['fs_setup'],
    ['fs_setup'],
  ],
  ['a flow', config('fs_setup: [{ device: b, replace_fs: "true" }]\n'), ['fs_setup'], ['fs_setup']],
  ['JSON', config('{"fs_setup": [{"partition": "none"}]}'), ['fs_setup'], ['fs_setup']],
  ['a partition number', config('fs_setup:\n  - partition: 1\n'), ['fs_setup'], ['fs_setup']],
  ['a number behind a dot', { fs_setup: [{ device: 'data.1', label: 'other' }] }, ['fs_setup'], ['fs_setup']],
  ['no partition at all', { fs_setup: [{ device: 'b', partition: null }] }, ['fs_setup'], ['fs_setup']],
  ['a partition that is looked for', { fs_setup: [{ partition: 'auto' }] }, ['fs_setup'], []],
  ['a partition that is not said', { fs_setup: [{ device: '/dev/sdb1', label: 'x' }] }, ['fs_setup'], []],
  ['JSON with another key first', config(JSON.stringify(FORMATS)), ['fs_setup'], ['fs_setup']],
  ['JSON on several lines', config(JSON.stringify(FORMATS, null, 2)), ['fs_setup'], ['fs_setup']],
  ['the second part', mail('fs_setup: []\n', OVERWRITES), ['fs_setup'], ['fs_setup']],
  ['a part in base64', userDataText(config(OVERWRITES), { user: 'ops' }), ['fs_setup'], ['fs_setup']],
  ['an archive', `#cloud-config-archive\n${ARCHIVE}`, ['fs_setup'], ['fs_setup']],
  ['a patch', `#cloud-config-jsonp\n[{"path": "/fs_setup"}]`, ['fs_setup'], ['fs_setup']],
  ['a template', `## template: jinja\n#cloud-config\n{% if a %}\n${OVERWRITES}`, ['fs_setup'], ['fs_setup']],
  ['a template without it', `## template: jinja\n#cloud-config\n# fs_setup\n{% if a %}\n`, [], []],
  ['what is included', '#include\nhttps://example.com/x\n', ['#include'], ['#include']],
  ['base64', Buffer.from(config(OVERWRITES)).toString('base64'), [UNREADABLE], [UNREADABLE]],
  [
    'a part that is packed',
    mail(OVERWRITES, 'x', 'x-gzip'),
    ['fs_setup', UNREADABLE],
    ['fs_setup', UNREADABLE],
  ],
  ['another key', config('fs_setup: []\nmy:\n  overwrite: true\n'), ['fs_setup'], []],
  ['a comment', config('fs_setup:\n  # overwrite: true\n  - device: b\n'), ['fs_setup'], []],
  [
    'a table',
    config('disk_setup:\n  b:\n    layout: true\n    overwrite: true\n'),
    ['disk_setup'],
    ['disk_setup'],
  ],
  ['a table that goes', { disk_setup: { b: { layout: 'remove' } } }, ['disk_setup'], ['disk_setup']],
  ['a part', 'Content-Type: multipart/mixed\n\n#cloud-config\r\nruncmd: [x]\r\n', ['runcmd'], []],
  ['a key within', config('write_files:\n  - content: |\n      runcmd: x\n'), [], []],
  ['a script', '#!/bin/sh\nmkfs /dev/sdb\n', ['its script'], []],
])('%s', (_, userData, names, formats) => {
  const data = userData as string;
  expect(runOnce({ userData: data })).toEqual({ names, formats });
  expect(runOnce({ vendorData: data })).toEqual({ names, formats });
});
