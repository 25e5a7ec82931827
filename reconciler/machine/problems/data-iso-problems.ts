import { cloudInitDataFindings } from '../../../spec';
import { untouched } from '../../action';
import { isoPlace, isosOf, wantsDataIso } from '../wanted-data-iso';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** Why cloud-init data cannot be given to a guest: the data itself, or there is no storage for its ISO. */
export function dataIsoProblems(scene: Scene): Problem[] {
  if (!wantsDataIso(scene)) return [];
  const { spec, context } = scene;
  const findings = [...cloudInitDataFindings(context.wanted.secrets.data ?? {}, spec.cloudInit ?? {})];
  const wrong = findings.map(({ path, reason, allowed, remedy }): Problem => {
    const field = ['cloudInit', ...path].join('.');
    const may = allowed === undefined ? '' : `; allowed: ${allowed}`;
    // what was read from a reference is never shown
    return { field, ...untouched('cloud-init-data', `${field} ${reason}${may}.`, remedy) };
  });
  return [...wrong, ...noStorage(scene)];
}

function noStorage(scene: Scene): Problem[] {
  const isos = isosOf(scene);
  if (isos === undefined || isoPlace(scene) !== undefined) return [];
  const named = scene.spec.cloudInit?.storage;
  const able = isos.storages.map(({ name }) => name).join(', ') || 'none that you may see';
  const what = named === undefined ? 'No storage' : `Storage '${named}'`;
  const does = named === undefined ? 'takes' : 'is not there, or does not take';
  const detail = `${what} on node ${isos.node} ${does} ISO files, which cloud-init data needs; these do: ${able}.`;
  const remedy = 'Name one of these in cloudInit.storage, or add "iso" to the content of a storage.';
  return [{ field: 'cloudInit.storage', to: named, ...untouched('storage-content', detail, remedy) }];
}
