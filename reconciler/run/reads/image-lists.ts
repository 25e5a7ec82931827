import { ifSeen } from '../../observe/if-allowed';
import { SharedReading } from '../../observe/shared-reads';
import { listImages, listImagesOf, type Pve, type StorageVolume } from '../../pve';

/** Which volumes are asked for. `type`: what kind of storage it is; undefined: not told. */
export interface ImagesAsked {
  node: string;
  storage: string;
  type: string | undefined;
  /** The guest whose number they have. */
  owner: number;
}

/**
 * Here Proxmox goes through all of the pool whichever guest is asked for (RBDPlugin.pm and others, list_images: `rbd ls -l`,
 * `zfs list`, `lvs`). On a storage of files it looks into the folder of that guest alone, and asks qemu-img about each file.
 */
const LISTED_WHOLE: readonly (string | undefined)[] = ['rbd', 'zfspool', 'lvm', 'lvmthin'];

/** How long one that is at work holds up the next: a large pool takes its time. */
const LONGEST_MS = 30_000;

/** The disk images on storages, as the runs of one process read them: on a pool together for all of its guests. */
export class ImageLists {
  private readonly lists = new Map<string, SharedReading<StorageVolume[] | undefined>>();

  constructor(private readonly pve: Pve) {}

  /** Undefined: it could not be read. */
  of({ node, storage, type, owner }: ImagesAsked): SharedReading<StorageVolume[] | undefined> {
    const isWhole = LISTED_WHOLE.includes(type);
    const key = isWhole ? `${node}/${storage}` : `${node}/${storage}/${owner}`;
    const read = () =>
      ifSeen(
        isWhole
          ? listImages(this.pve, node, storage)
          : listImagesOf(this.pve, { node, storage, vmid: owner }),
      );
    const list = this.lists.get(key) ?? new SharedReading(read, { holdsUpMs: LONGEST_MS });
    this.lists.set(key, list);
    return list;
  }
}
