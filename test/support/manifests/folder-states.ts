import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { desiredStates } from '../../../reconciler/input/desired-states';
import { Reporter } from '../../../reconciler/report/reporter';

type Json = Record<string, unknown>;

const documents = path.resolve(__dirname, '..', '..', 'reconciler', 'manifests', 'documents');

/** The desired states that a folder of the requirements' documents means, on the cluster of the environment. */
export async function statesOfManifestFolder(name: string): Promise<Json[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'documents-'));
  try {
    for (const file of readdirSync(path.join(documents, name))) {
      const text = readFileSync(path.join(documents, name, file), 'utf8');
      const placed = text
        .replaceAll('ENDPOINT', 'https://pve.example.com:8006')
        .replaceAll('TOKEN_ID', 'a@pve!b')
        .replaceAll('TOKEN_SECRET', '11111111-1111-4111-8111-111111111111');
      writeFileSync(path.join(folder, file), placed);
    }
    const { states } = await desiredStates(
      { manifests: [folder] },
      {
        environment: { PROXMOX_DEFAULT_CLUSTER: 'harbour' },
        readInput: () => Promise.resolve(''),
        out: () => undefined,
        reporter: new Reporter({ write: () => undefined, level: 'error', json: false }),
        signal: new AbortController().signal,
      },
    );
    return states.map(({ cluster: { endpoint: _, ...cluster }, ...state }) => {
      return JSON.parse(JSON.stringify({ ...state, cluster })) as Json;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
