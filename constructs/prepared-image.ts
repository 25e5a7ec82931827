import { Construct } from 'constructs';
import {
  formatProblems,
  imageOf,
  parseDesiredState,
  parsePreparedImage,
  SPEC_VERSION,
  templatesOf,
} from '../spec';
import { clusterOf } from './cluster-of';
import type { PreparedImageProps } from './prepared-image-props';
import { Cluster } from './private/cluster/cluster';
import { fileChecksum } from './private/file-checksum';
import { WantedMachine } from './private/cluster/wanted-machine';
import { makeRevision } from './private/resources/revision';
import { literalProps } from './private/tokens/literal-only';
import type { ProxmoxCluster } from './proxmox-cluster';
import { Image, withSource } from './values/image';
import { SpecError } from './values/spec-error';

/**
 * An image that is made ready once, as a template, before machines are cloned from it: `image: debian.image`. The names
 * of its templates tell its content: other content is another template. The former one is destroyed; where it has linked
 * clones that stay it is left, with a warning, for `gc`.
 */
export class PreparedImage extends Construct {
  /** What machines are made from that say so. */
  readonly image: Image;
  /** The cluster that it is made ready on. */
  readonly cluster: ProxmoxCluster;

  constructor(scope: Construct, id: string, props: PreparedImageProps) {
    super(scope, id);
    const { cluster, dependsOn = [], ...said } = props;
    this.cluster = clusterOf(this, cluster);
    const parts = Cluster.of(this.cluster);
    const spec = literalProps(this.node.path, { name: id, ...hashed(this, said) }, parsePreparedImage);
    refuse(this, {
      version: SPEC_VERSION,
      owner: 'any',
      cluster: parts.spec(),
      machines: [],
      images: [spec],
    });
    for (const template of templatesOf(spec)) {
      const place = new Construct(this, template.id);
      const wanted = new WantedMachine(place, parts, { ...template, formerIds: [] }, 'bare');
      parts.add(wanted);
      makeRevision(parts, place, wanted, dependsOn);
    }
    const { template, machine = '', replicas } = imageOf(spec);
    this.image =
      typeof template === 'object'
        ? Image.fromTemplateWithTag(template.tag)
        : template !== undefined
          ? Image.fromTemplate(template)
          : withSource(Image.fromMachine(machine, { ...(replicas && { replicas }) }), this);
  }
}

/** A file without a checksum is what it is now. */
function hashed(construct: Construct, said: Omit<PreparedImageProps, 'cluster' | 'dependsOn'>): object {
  const { file, checksum } = said;
  if (file === undefined || checksum !== undefined) return said;
  try {
    return { ...said, checksum: fileChecksum(file) };
  } catch (error) {
    throw SpecError.at(construct, error instanceof Error ? error.message : String(error));
  }
}

/** What can be wrong with an image is found at its construct. */
function refuse(construct: Construct, state: object): void {
  const parsed = parseDesiredState(state);
  if (!parsed.ok) throw SpecError.at(construct, formatProblems(parsed.problems));
}
