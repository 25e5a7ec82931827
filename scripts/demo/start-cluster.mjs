// @ts-check
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { at } from '../setup/root.mjs';
import { askingOf } from './ask-cluster.mjs';

/** @typedef {Awaited<ReturnType<typeof startCluster>>} Cluster */

/** Starts the simulated cluster of the tour. @param {import('./stage.mjs').Stage} scene */
export async function startCluster(scene) {
  const readyFile = path.join(scene.folder, 'ready.json');
  const child = scene.start([at('dist', 'simulator.cjs'), '--nodes', '3', '--ready-file', readyFile]);
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve);
    child.once('close', code => reject(new Error(`the simulator ended with ${code}`)));
  });
  const told = JSON.parse(readFileSync(readyFile, 'utf8'));
  const { url, caFile, tokenId, tokenSecret } = told;
  const ask = askingOf(told);
  const guests = () => ask('GET', '/cluster/resources?type=vm');
  const placeOf = async (/** @type {string} */ name) => {
    const { node, vmid } = (await guests()).find(
      (/** @type {{ name: string }} */ guest) => guest.name === name,
    );
    return `/nodes/${node}/qemu/${vmid}`;
  };
  return {
    url,
    /** What the reconciler must know of it. */
    access: {
      PVE_ENDPOINT: url,
      PVE_CA_BUNDLE: caFile,
      PVE_TOKEN_ID: tokenId,
      PVE_TOKEN_SECRET: tokenSecret,
    },
    guestNames: async () => (await guests()).map((/** @type {{ name: string }} */ { name }) => name),
    /** What tells a guest from every other one. @param {string} name */
    async identityOf(name) {
      const place = await placeOf(name);
      const { smbios1 } = await ask('GET', `${place}/config`);
      return `${place}, ${smbios1}`;
    },
    /** Writes a guest's configuration as a person would. @param {string} name @param {Record<string, string>} config */
    async changeByHand(name, config) {
      await ask('PUT', `${await placeOf(name)}/config`, config);
    },
  };
}
