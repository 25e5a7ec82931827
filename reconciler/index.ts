/**
 * Makes Proxmox match a spec: observe, plan, apply.
 *
 * This room knows the spec and Proxmox's API. It does not know cdktf, the constructs or the simulator:
 * whoever speaks JSON to it can drive it. Proxmox is its only state.
 */
export {};
