import { propertiesOf } from '../guest/configuration';
import { isCdrom, isCloudInit, isOwnVolume, readDrive } from '../guest/drive';
import { onGuest, onPath, type Need, type Subject } from './need';

/** What it takes to change a drive that says this: cloud-init, CD-ROM and disk have privileges of their own. */
export function driveNeeds(key: string, text: string, subject: Subject): Need[] {
  if (isCloudInit(text)) {
    return [onGuest(key, subject, 'VM.Config.Cloudinit'), onGuest(key, subject, 'VM.Config.CDROM')];
  }
  return [onGuest(key, subject, isCdrom(text) ? 'VM.Config.CDROM' : 'VM.Config.Disk')];
}

/** Any of them lets a caller read what a storage keeps. */
const READING = ['Datastore.AllocateSpace', 'Datastore.Audit', 'Datastore.Allocate'];

/** What it takes to use the volume that a drive names, or to make it. */
export function volumeNeeds(key: string, text: string, { vmid }: Subject): Need[] {
  const { file, storage } = readDrive(text);
  if (file === 'none' || file === '' || isCloudInit(text)) return [];
  if (file === 'cdrom') return [onPath(key, '/', 'Sys.Console')];
  if (storage === undefined) return [];
  const what = `${key} on ${storage}`;
  const path = `/storage/${storage}`;
  // PVE: a number behind the colon is a size, anything else names a volume
  if (!isCdrom(text) && /:\d+(?:\.\d+)?$/.test(file)) {
    return [onPath(what, path, 'Datastore.AllocateSpace'), ...importNeeds(key, text)];
  }
  if (isCdrom(text)) {
    return [onPath(what, path, ...READING)];
  }
  const owner = /[:/](?:vm|base)-(\d+)-/.exec(file)?.[1];
  if (owner === undefined || isOwnVolume(file, vmid)) return [];
  const allocate = { path, privilege: 'Datastore.Allocate' };
  return [
    { what, ways: [{ path, privilege: 'Datastore.Audit' }, allocate] },
    { what, ways: [{ path: `/vms/${owner}`, privilege: 'VM.Config.Disk' }, allocate] },
  ];
}

/** What it takes to read the file that a new disk is filled from. */
function importNeeds(key: string, text: string): Need[] {
  const source = propertiesOf(key, text)['import-from'];
  if (source === undefined) return [];
  const [storage = ''] = String(source).split(':');
  return [onPath(`the image on ${storage}`, `/storage/${storage}`, ...READING)];
}

/** What it takes to free the volume of a disk that nobody uses any more. */
export function unusedNeeds(key: string, text: string, subject: Subject): Need[] {
  const { file, storage } = readDrive(text);
  const frees = storage !== undefined && isOwnVolume(file, subject.vmid);
  return [
    onGuest(key, subject, 'VM.Config.Disk'),
    ...(frees ? [onPath(`${key} on ${storage}`, `/storage/${storage}`, 'Datastore.AllocateSpace')] : []),
  ];
}
