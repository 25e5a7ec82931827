// @ts-check
import { readEngines } from '../setup/engines-file.mjs';
import { demoApp } from './demo-app.mjs';
import { heading, tell } from './say.mjs';
import { startCluster } from './start-cluster.mjs';
import { stage } from './stage.mjs';

/** Plays the tour and gives its exit code. An interrupt ends it the same way: nothing is left. */
export async function tour() {
  const engine = readEngines().present[0];
  if (!engine) throw new Error('The set-up found an engine, but none is in .engine/engines.json.');
  const scene = stage();
  try {
    const cluster = await startCluster(scene);
    const app = demoApp(scene, engine, cluster);

    heading('1. A Proxmox cluster of three nodes, in memory');
    tell(`It answers as Proxmox VE does, at ${cluster.url}. No machine of yours is touched.`);

    heading('2. Three machines, written in TypeScript (examples/web-and-database/main.ts)');
    await app.cdktf('deploy', '--auto-approve');
    await app.reconciler('status');

    heading('3. The program changes: more memory and a larger disk for the database');
    app.edit("memory: '4Gi'", "memory: '8Gi'");
    app.edit("name: 'data', size: '50G'", "name: 'data', size: '60G'");
    await app.cdktf('synth');
    tell('What that costs, machine by machine, before anything is done:');
    await app.reconciler('plan');

    heading('4. Deploy again: the database is changed in place, the others are left alone');
    await app.cdktf('deploy', '--auto-approve');
    await app.reconciler('status');

    heading("5. Somebody changes a machine by hand, behind Terraform's back");
    await cluster.changeByHand('web-1', { cores: '1', tags: 'whatever' });
    tell('web-1 has one core and other tags now. The plan sees it:');
    await app.reconciler('plan');

    heading('6. Deploy repairs it');
    await app.cdktf('deploy', '--auto-approve');
    await app.reconciler('plan');

    heading('7. Destroy: only what this program made');
    await app.cdktf('destroy', '--auto-approve');
    tell(`Left on the cluster: ${(await cluster.guestNames()).join(', ')}, which were there before.`);
    tell('\nNothing was left behind. Your own cluster: see "On your cluster" in README.md.');
    return 0;
  } catch (error) {
    if (scene.interrupted) return 130;
    throw error;
  } finally {
    scene.end();
  }
}
