/** What undici itself takes where node has no HTTP/2: Proxmox speaks HTTP/1.1, and every start would load the rest. */
exports.constants = {};
