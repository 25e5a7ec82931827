import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { at } from '../setup/root.mjs';

/** What somebody finds in the shell, and what to type first. @param {NodeJS.ProcessEnv} env */
export async function greeting({ PVE_ENDPOINT: url = '', PVE_CA_BUNDLE: caFile = '' }) {
  // the shell is of use without this list too
  const images = await worldAt(`${url}/_sim/world`, caFile).then(imageLines, () => []);
  return [
    `A simulated Proxmox cluster is at ${url} until you exit this shell. PVE_ENDPOINT and the token are set.`,
    `Its page: ${url}/_sim/ (the browser warns of the certificate, which is the cluster's own)`,
    '',
    ...images,
    ...(images.length > 0 ? [''] : []),
    'Type next:',
    '  pve-reconciler doctor',
    `  cd ${typed(at('examples', 'one-machine'))}`,
    '  cdktf deploy --auto-approve',
    '  pve-reconciler status --spec cdktf.out/stacks/one-machine',
    '  cdktf destroy --auto-approve',
    '',
  ].join('\n');
}

/** A path as a shell takes it. @param {string} path */
function typed(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * @typedef {{ vmid: number, config: Record<string, string> }} Guest
 * @typedef {{ volid: string, content: string }} Volume
 * @typedef {{ guests: Record<string, Guest>, volumes: Volume[], downloads?: object }} World
 * @param {World} world
 */
function imageLines({ guests, volumes, downloads = {} }) {
  const templates = Object.values(guests).filter(({ config }) => config.template === '1');
  const isos = volumes.filter(({ content }) => content === 'iso').map(({ volid }) => volid);
  const urls = Object.keys(downloads).filter(address => !address.endsWith('.iso'));
  return [
    ...named(
      'Image.fromTemplate',
      templates.map(({ config, vmid }) => `"${config.name}" (VM ${vmid})`),
    ),
    ...named(
      'Image.fromIso',
      isos.map(volume => `"${volume}"`),
    ),
    ...named(
      'Image.fromUrl',
      urls.map(address => `"${address}"`),
    ),
  ];
}

/** @param {string} call @param {string[]} names */
function named(call, names) {
  return names.length === 0 ? [] : [`${call}:`, ...names.map(name => `  ${name}`)];
}

/** @param {string} url @param {string} caFile @returns {Promise<World>} */
async function worldAt(url, caFile) {
  const [answer] = await once(get(url, { ca: readFileSync(caFile) }), 'response');
  let text = '';
  for await (const part of answer) text += part;
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}.`);
  return JSON.parse(text);
}
