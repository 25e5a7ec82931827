/**
 * What is wanted, and what comes back: schemas and their types, and nothing else.
 *
 * Both sides of the contract import this room: the constructs write a spec, the reconciler reads it.
 * It does not know Terraform, HTTP, Proxmox's API, or who calls it.
 */
export const SPEC_VERSION = 1;
