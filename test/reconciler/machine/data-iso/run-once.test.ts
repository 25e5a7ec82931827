import { runOnce } from '../../../../reconciler/machine/data-iso/run-once';

const config = (text: string): string => `#cloud-config\n${text}`;

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
  ['a partition number', config('fs_setup:\n  - partition: 1\n'), ['fs_setup'], []],
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
