import type { ImageSpec } from '../../spec';
import type { ImageFile, Objection } from '../action';
import type { ObservedCluster } from '../observed';
import type { Pve } from '../pve';
import type { LocalFiles } from './local-files';
import { askSize, findImageFile } from './find-image-file';

/** The disk images of one run: what the addresses say is asked once for all its machines. */
export class Images {
  private readonly sizes = new Map<string, ReturnType<typeof askSize>>();

  constructor(
    private readonly pve: Pve,
    private readonly files: LocalFiles,
  ) {}

  /** Where the file of an image stands, or is to stand, for a machine on this node. Reads only. */
  find(cluster: ObservedCluster, image: ImageSpec, node: string): Promise<ImageFile | Objection> {
    return findImageFile(
      this.pve,
      cluster,
      { image, node },
      {
        sizeOf: (at, url) => this.sizeOf(at, url),
        files: this.files,
      },
    );
  }

  private sizeOf(node: string, url: string): ReturnType<typeof askSize> {
    const key = `${node} ${url}`;
    const known = this.sizes.get(key) ?? askSize(this.pve, node, url);
    this.sizes.set(key, known);
    return known;
  }
}
