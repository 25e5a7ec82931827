// The tour of `npm run demo`: it runs beside a simulated cluster, in an empty folder that is removed after it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { at } from '../setup/root.mjs';

const EXAMPLE = 'web-and-database';
const { PVE_ENDPOINT, PVE_TOKEN_ID, PVE_TOKEN_SECRET, NO_COLOR } = process.env;
const bold = process.stdout.isTTY && NO_COLOR === undefined;
const tell = console.log;
/** @param {string} text */
const heading = text => tell(bold ? `\n\u001b[1m${text}\u001b[0m\n` : `\n${text}\n`);

/** Runs a command and shows what is worth it of each line; throws when it fails. @param {string} command @param {(line: string) => string | undefined} worth */
async function run(command, worth = line => line) {
  tell(`$ ${command}`);
  const child = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let all = '';
  for await (const line of createInterface({ input: child.stdout })) {
    all += `${line}\n`;
    const shown = worth(stripVTControlCharacters(line));
    if (shown !== undefined) tell(`  ${shown}`);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`${all}${command} ended with ${code}`);
}

/** Shows, of all that the cdktf command prints, what the reconciler does and Terraform's last word. @param {string} verb */
async function cdktf(verb) {
  const started = Date.now();
  await run(`cdktf ${verb}`, line => {
    const said = /\(local-exec\): *(?!Executing:|\S+: done )(\S.*)$/.exec(line)?.[1];
    return said ?? /(?:Apply|Destroy) complete!.*|No changes\..*/.exec(line)?.[0];
  });
  tell(`  (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

/** @param {'plan' | 'status'} verb */
const reconciler = verb => run(`pve-reconciler ${verb} --spec cdktf.out/stacks/${EXAMPLE}`);

/** Changes the copy of the example. @param {string} from @param {string} to */
function edit(from, to) {
  const text = readFileSync('main.ts', 'utf8');
  if (!text.includes(from)) throw new Error(`main.ts has no ${from}`);
  writeFileSync('main.ts', text.replace(from, to));
  tell(`  - ${from}\n  + ${to}`);
}

/** Reads or, with a form, writes in the cluster, as a person with a token would. @param {string} place @param {Record<string, string>} [form] */
async function ask(place, form) {
  const headers = { authorization: `PVEAPIToken=${PVE_TOKEN_ID}=${PVE_TOKEN_SECRET}` };
  const request = form ? { headers, method: 'PUT', body: new URLSearchParams(form) } : { headers };
  const response = await fetch(`${PVE_ENDPOINT}/api2/json${place}`, request);
  if (!response.ok) throw new Error(`${place} was answered with ${response.status}`);
  return /** @type {{ data: any }} */ (await response.json()).data;
}

/** @returns {Promise<{ name: string, node: string, vmid: number }[]>} */
const guests = () => ask('/cluster/resources?type=vm');

/** @param {string} name */
async function placeOf(name) {
  const guest = (await guests()).find(one => one.name === name);
  return `/nodes/${guest?.node}/qemu/${guest?.vmid}`;
}

/** What tells the database from every other guest. */
async function database() {
  const place = await placeOf('database');
  return `${place}, ${(await ask(`${place}/config`)).smbios1}`;
}

try {
  process.env.CI = '1';
  const program = readFileSync(at('examples', EXAMPLE, 'main.ts'), 'utf8');
  writeFileSync('main.ts', program.replace("'../../constructs'", JSON.stringify(at('dist', 'constructs'))));
  writeFileSync('cdktf.json', readFileSync(at('examples', EXAMPLE, 'cdktf.json')));
  symlinkSync(at('node_modules'), 'node_modules');
  heading('1. A Proxmox cluster of three nodes, in memory');
  tell(`It answers as Proxmox VE does, at ${PVE_ENDPOINT}. No machine of yours is touched.`);

  heading('2. Three machines, written in TypeScript (examples/web-and-database/main.ts)');
  tell('The web servers read the address of the database, so it comes first.');
  await cdktf('deploy --auto-approve');
  await reconciler('status');
  const before = await database();

  heading('3. The program changes: more memory and a larger disk for the database');
  edit("memory: '4Gi'", "memory: '8Gi'");
  edit("name: 'data', size: '50G'", "name: 'data', size: '60G'");
  await cdktf('synth');
  tell('What that costs, machine by machine, before anything is done:');
  await reconciler('plan');

  heading('4. Deploy again: the database is changed in place');
  tell(
    'Terraform replaces its own records only. The web servers read the database, so it asks about them again.',
  );
  await cdktf('deploy --auto-approve');
  await reconciler('status');
  tell(`The database was ${before}\n          and is ${await database()}.`);
  tell(
    'Its disk has grown. The memory waits for a restart, as nothing allows one here: see "restart" in docs/model.md.',
  );

  heading("5. Somebody changes a machine by hand, behind Terraform's back");
  await ask(`${await placeOf('web-1')}/config`, { cores: '1', tags: 'whatever' });
  tell('web-1 has one core and other tags now. The plan sees it:');
  await reconciler('plan');

  heading('6. Deploy repairs it');
  await cdktf('deploy --auto-approve');
  await reconciler('plan');

  heading('7. Destroy: only what this program made');
  await cdktf('destroy --auto-approve');
  tell(
    `Left on the cluster: ${(await guests()).map(({ name }) => name).join(', ')}, which were there before.`,
  );
  tell('\nNothing is left behind. For your own cluster see examples/web-and-database/README.md.');
} catch (error) {
  tell(`\nThe tour ended early: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
