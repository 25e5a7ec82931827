/** In the place of undici's file for HTTP/2, which every start would load: Proxmox speaks HTTP/1.1, and nothing asks for more. */
module.exports = () => {
  throw new Error('HTTP/2 is not built in');
};
