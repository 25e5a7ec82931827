import { machineProblems } from './sample';

const DATA = ['userData', 'vendorData', 'metaData', 'networkData'];
const told = (field: string, text: string): string[] =>
  machineProblems({ cloudInit: { [field]: text } }).map(
    ({ path, value = '', reason, remedy }) => `${path}: ${value} ${reason}. ${remedy}`,
  );

describe.each(DATA)('%s', field => {
  test.each([
    ['a tab', 'a:\n\tb: 1\n', '(hidden) is no YAML that cloud-init could read, at line 3, column 1: a tab'],
    ['a line that is not indented', 'a:\n  - b\n c: d\n', 'at line 4, column 1: this line is not indented'],
    ['a bracket that is not closed', 'a: [b\nd: 1\n', 'at line 3, column 1: this line is not indented'],
    ['a list', '- a\n', 'at line 2, column 1: this is no mapping, such as "key: value"'],
    ['two documents', 'a: 1\n---\nb: 2\n', 'at line 3, column 1: a second document begins here'],
  ])('%s is refused with its line and column', (_, text, says) => {
    expect(told(field, `#cloud-config\n${text}`)).toEqual([
      expect.stringMatching(new RegExp(`cloudInit\\.${field}: .*`)),
    ]);
    expect(told(field, `#cloud-config\n${text}`)[0]).toContain(says);
  });

  // each was read by PyYAML 6.0.3
  test.each([
    ['a list in brackets that begins at the left', 'a: [\nb,\nc\n]\nd: 1\n'],
    ['a text in quotes that goes on at the left', 'a: "x\ny\nz"\nd: 1\n'],
    ['a mapping in brackets that goes on at the left', 'a: {b: 1,\nc: 2}\nd: 1\n'],
    ['a key that stands twice', 'a: 1\na: 2\n'],
    ['a comment behind a bracket', 'a: [b]#c\n'],
    ['lines that end as on Windows', 'a:\r\n  - b\r\nc: d\r\n'],
    ['nothing', ''],
  ])('%s is taken, as cloud-init takes it', (_, text) => {
    expect(told(field, `#cloud-config\n${text}`)).toEqual([]);
  });
});

test('what is no YAML yet is not read as such', () => {
  expect(told('userData', '## template: jinja\n#cloud-config\na: {% if b %}\n')).toEqual([]);
  expect(told('userData', '#!/bin/sh\necho "a\n')).toEqual([]);
});
