/**
 * CDKTF constructs that write a spec at synth.
 *
 * This room knows cdktf and the spec. It does not know Proxmox's API; the reconciler is to it a file that
 * travels with the stack and a command line to call.
 */
export {};
