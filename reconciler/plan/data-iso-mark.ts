import { holdsOurData, isoPlace, wantsDataIso } from '../machine/data-iso/data-iso-of';
import type { Mark } from '../mark/mark';
import type { Scene } from '../machine/scene';

/** What the mark remembers of the ISO with cloud-init data: its slot, and where ISOs may be. */
export function isoMark(scene: Scene): Pick<Mark, 'j' | 'f'> {
  const { slots, config } = scene;
  const isThere = wantsDataIso(scene) || holdsOurData(config[slots.cloudInit], scene);
  return { j: isThere ? slots.cloudInit : undefined, f: isoPlaces(scene) };
}

/** A place is remembered before the first upload, and until nothing is left there: else nobody would find what is. */
export function isoPlaces(scene: Pick<Scene, 'spec' | 'mark' | 'context'>): string[] | undefined {
  const before = scene.mark?.f ?? [];
  const { isos } = scene.context;
  const isLeft = (place: string): boolean =>
    isos === undefined || isos.unread.includes(place) || isos.files.some(file => file.place === place);
  const wanted = wantsDataIso(scene) ? isoPlace(scene) : undefined;
  const places = new Set([...before.filter(isLeft), ...(wanted ? [wanted.place] : [])]);
  return places.size === 0 ? undefined : [...places].sort();
}
