import { median, programLines } from '../../support/runs/program-lines';
import { touched } from '../../support/runs/adoption-faults';
import {
  adoptInto,
  clusterOfTenHands,
  folderForProgram,
  planOfFolder,
  programFaults,
  requestsOf,
} from '../../support/runs/whole-cluster';

/** In the gate so many guests; `GUESTS=600` is a cluster as people have it. */
const GUESTS = Number(process.env['GUESTS'] ?? 60);

test(`${GUESTS} guests of ten hands become a program that people read, and only their marks are written`, async () => {
  const cluster = await clusterOfTenHands(GUESTS);
  const program = folderForProgram();
  try {
    const before = structuredClone(cluster.world.guests);
    const { code, said } = await adoptInto(program.folder, cluster.simulator, '--yes');
    const requests = requestsOf(cluster.simulator);
    expect(said.split('\n').filter(line => /REFUSED|FAILED|not empty/.test(line))).toEqual([]);
    expect(code).toBe(0);
    expect(Object.keys(requests).filter(kind => !kind.startsWith('GET '))).toEqual(['PUT /guest/config']);
    expect(requests['PUT /guest/config']).toBe(GUESTS);
    expect(requests['GET /guest/pending']).toBeLessThanOrEqual(4 * GUESTS);
    const changed = Object.values(before).flatMap(guest => touched(guest, cluster.world.guests[guest.vmid]));
    expect(changed).toEqual([]);

    const files = program.files();
    const { machines, classes } = programLines(Object.values(files));
    expect(machines).toHaveLength(GUESTS);
    expect(median(machines)).toBeLessThanOrEqual(3);
    expect(Math.max(...classes)).toBeLessThanOrEqual(25);
    expect(Math.max(...Object.values(files).map(text => text.split('\n').length))).toBeLessThan(GUESTS * 10);
    expect(programFaults(program.folder)).toBe('');
    expect(await planOfFolder(program.folder, cluster.simulator)).toMatchObject({ code: 0 });
  } finally {
    program.remove();
    await cluster.close();
  }
}, 1_800_000);
