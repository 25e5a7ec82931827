import type { CreateParams } from '../action';
import { rootElsewhere } from '../machine/problems/linked-storage';
import type { Scene } from '../machine/scene';
import { sourceText } from './write';
import { writeDescription } from '../mark/mark';
import { createMark } from './mark-content';

/**
 * The parameters of a clone. The description goes along, so that a creation which is cut short is found; the rest is
 * written once the clone is there.
 */
export function cloneParams(scene: Scene): CreateParams {
  const { spec, vmid, context } = scene;
  const { source, node } = context;
  const { snapshot } = spec.image ?? {};
  const root = spec.disks?.find(({ name }) => name === 'root');
  const full = isFull(scene);
  return {
    newid: vmid,
    name: spec.name ?? spec.id,
    description: writeDescription(spec.description ?? sourceText(source?.config), createMark(scene)),
    full,
    ...(node === undefined || node === source?.node ? {} : { target: node }),
    ...(full && root?.storage !== undefined ? { storage: root.storage } : {}),
    ...(full && root?.storage !== undefined && root.format !== undefined ? { format: root.format } : {}),
    ...(snapshot === undefined ? {} : { snapname: snapshot }),
    ...(spec.pool === undefined ? {} : { pool: spec.pool }),
  };
}

/** PVE makes linked clones of templates only. Without a word, a root on another storage makes the clone full. */
function isFull(scene: Scene): boolean {
  const { spec, context } = scene;
  if (context.source?.template !== true || spec.image?.clone === 'full') return true;
  return spec.image?.clone === undefined && rootElsewhere(scene) !== undefined;
}
