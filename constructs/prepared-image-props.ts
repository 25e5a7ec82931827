import type { ITerraformDependable } from 'cdktf';
import type { ProxmoxCluster } from './proxmox-cluster';

/** An image that is made ready before machines are cloned from it. Exactly one of `url`, `file` and `template` is given. */
export interface PreparedImageProps {
  /**
   * The cluster that the image is for, of the same stack.
   * @default - the only cluster of the stack
   */
  readonly cluster?: ProxmoxCluster;
  /**
   * The beginning of the names of its templates.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * A template that exists: its name, its vmid or its tag. Nothing is built then.
   * @default - one is built of `url`
   */
  readonly template?: string | number | { readonly tag: string };
  /**
   * The address of a disk image. A node downloads it once.
   * @default - none
   */
  readonly url?: string;
  /**
   * A disk image on the machine where the program and Terraform run, as an absolute path. It is uploaded.
   * @default - none
   */
  readonly file?: string;
  /**
   * What the file behind `url`, or the file, must hash to, as `algorithm:digits`.
   * @default - none; required with `url`; the sha256 of `file` as it is at synth
   */
  readonly checksum?: string;
  /**
   * Where the file behind `url` is kept; the storage must allow the content "import".
   * @default - one that has the file, else a shared one that allows it, else one of the node
   */
  readonly storage?: string;
  /**
   * Name of the template that is built; with `nodes` the node stands behind it.
   * @default - its id, which tells the content
   */
  readonly templateName?: string;
  /**
   * Number of the template that is built.
   * @default - the highest free one of the cluster's range
   */
  readonly vmid?: number;
  /**
   * Storage of the disk of the template.
   * @default - none; required with `url`
   */
  readonly diskStorage?: string;
  /**
   * Nodes that get a template of their own: a machine is cloned from the one beside it.
   * @default - one template, on the node that placement chooses
   */
  readonly nodes?: readonly string[];
  /**
   * What Terraform makes before it builds the templates.
   * @default - nothing
   */
  readonly dependsOn?: readonly ITerraformDependable[];
}
