import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';
import { beginning, yaml } from '../../support/runs/cut-yaml';

let lab: DaemonLab;
afterEach(() => lab.close());

test('of YAML that may be cut short no disk is deleted, until it ends with a line break', async () => {
  lab = await daemonLab([]);
  const file = `${lab.file}.yaml`;
  writeFileSync(file, yaml);
  const daemon = lab.start({ spec: [file] });
  const volumes = (): string[] =>
    Object.entries(lab.guests('web')[0]?.config ?? {}).flatMap(([key, value]) =>
      /^(?:scsi|unused)\d/.test(key) ? [value] : [],
    );
  await until(volumes, found => found.length === 2);
  await until(
    () => daemon.machine('web'),
    ({ phase }) => phase === 'Stopped',
  );
  // who copies it is interrupted
  writeFileSync(file, beginning.trimEnd());
  const said = `${file} does not end with a line break, so that a part of it may be missing`;
  await until(
    () => daemon.lines.filter(line => JSON.stringify(line).includes(said)),
    lines => lines.length > 0 || volumes().length !== 2,
  );
  expect(volumes()).toHaveLength(2);
  // what is wrong with the next reading does not make this one whole
  writeFileSync(file, `${beginning}  - {`);
  await until(
    () => daemon.lines.filter(line => line['level'] === 'error'),
    lines => lines.length > 0,
  );
  await sleep(300);
  expect(volumes()).toHaveLength(2);
  // what loses nothing is done all the same
  writeFileSync(file, yaml.replace('512Mi', '1Gi').trimEnd());
  await until(
    () => lab.guests('web')[0]?.config['memory'],
    memory => memory === '1024',
  );
  writeFileSync(file, beginning);
  await until(volumes, found => found.length === 1);
});
