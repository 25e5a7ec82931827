/**
 * In the place of files that nothing of ours asks for, and that every start would read: undici's HTTP/2, as Proxmox speaks
 * HTTP/1.1; its reader of forms; and pg's way to a library of C.
 */
function leftOut() {
  throw Object.assign(new Error('this is not built in'), { code: 'MODULE_NOT_FOUND' });
}
module.exports = leftOut;
leftOut.multipartFormDataParser = leftOut;
