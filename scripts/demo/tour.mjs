// @ts-check
import { readEngines } from '../engine/engines-file.mjs';
import { demoApp } from './demo-app.mjs';
import { heading, tell } from './say.mjs';
import { stage } from './stage.mjs';
import { startCluster } from './start-cluster.mjs';

/** Plays the tour and gives its exit code. However it ends, nothing of it is left. */
export async function tour() {
  const engine = readEngines().present[0];
  if (!engine) throw new Error('The set-up found an engine, but none is in .engine/engines.json.');
  const scene = stage();
  try {
    const cluster = await startCluster(scene);
    await play(cluster, demoApp(scene, engine, cluster));
    return 0;
  } catch (error) {
    if (scene.interrupted) return 130;
    tell(`\nThe tour ended early: ${error instanceof Error ? error.message : error}`);
    return 1;
  } finally {
    await scene.end();
  }
}

/** @param {import('./start-cluster.mjs').Cluster} cluster @param {import('./demo-app.mjs').DemoApp} app */
async function play(cluster, app) {
  heading('1. A Proxmox cluster of three nodes, in memory');
  tell(`It answers as Proxmox VE does, at ${cluster.url}. No machine of yours is touched.`);

  heading('2. Three machines, written in TypeScript (examples/web-and-database/main.ts)');
  tell('The web servers read the address of the database, so it comes first.');
  await app.cdktf('deploy', '--auto-approve');
  await app.reconciler('status');
  const before = await cluster.identityOf('database');

  heading('3. The program changes: more memory and a larger disk for the database');
  app.edit("memory: '4Gi'", "memory: '8Gi'");
  app.edit("name: 'data', size: '50G'", "name: 'data', size: '60G'");
  await app.cdktf('synth');
  tell('What that costs, machine by machine, before anything is done:');
  await app.reconciler('plan');

  heading('4. Deploy again: the database is changed in place');
  tell(
    'Terraform replaces its own records only. The web servers read the database, so it asks about them again.',
  );
  await app.cdktf('deploy', '--auto-approve');
  await app.reconciler('status');
  tell(`The database was ${before}\n          and is ${await cluster.identityOf('database')}.`);
  tell(
    'Its disk has grown. The memory waits for a restart, as nothing allows one here: see "restart" in docs/model.md.',
  );

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
  tell('\nNothing is left behind. For your own cluster see examples/web-and-database/README.md.');
}
