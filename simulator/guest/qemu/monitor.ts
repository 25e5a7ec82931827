import type { Guest } from '../../world';
import { memoryBytes } from './memory';
import { QEMU_VERSION } from './process';

const FREE = new Set('help ? info'.split(' '));

const ROOT = new Set(
  (
    'backup block_stream change chardev-add chardev-change chardev-remove client_migrate_info device_add device_del ' +
    'drive_add drive_backup drive_del drive_mirror dump-guest-memory dumpdtb gdbserver hostfwd_add hostfwd_remove ' +
    'logfile mce memsave migrate migrate_incoming migrate_recover nbd_server_add nbd_server_remove nbd_server_start ' +
    'nbd_server_stop netdev_add netdev_del nmi o object_add object_del pcie_aer_inject_error pmemsave qom-set ' +
    'savevm-end savevm-start screendump snapshot_blkdev watchdog_action wavcapture xen-event-inject xen-event-list'
  ).split(' '),
);

const MODIFY = new Set(
  (
    'announce_self backup_cancel balloon block_job_cancel block_job_complete block_job_pause block_job_resume ' +
    'block_job_set_speed block_resize block_set_io_throttle boot_set calc_dirty_rate cancel_vcpu_dirty_limit ' +
    'chardev-send-break closefd commit cont c cpu delvm eject exit_preconfig expire_password getfd gpa2hpa gpa2hva ' +
    'gva2gpa i loadvm log migrate_cancel migrate_continue migrate_pause migrate_set_capability migrate_set_parameter ' +
    'migrate_start_postcopy mouse_button mouse_move mouse_set one-insn-per-tb print p qemu-io qom-get qom-list quit q ' +
    'replay_break replay_delete_break replay_seek ringbuf_read ringbuf_write savevm sendkey set_link set_password ' +
    'set_vcpu_dirty_limit snapshot_blkdev_internal snapshot_delete_blkdev_internal stopcapture stop s sum sync-profile ' +
    'system_powerdown system_reset system_wakeup trace-event x x_colo_lost_heartbeat xp'
  ).split(' '),
);

/** What a monitor command needs beyond the call's own rights; undefined for commands that nobody knows. */
export function monitorPrivilege(command: string): 'none' | 'root' | 'Sys.Modify' | undefined {
  if (FREE.has(command)) return 'none';
  if (ROOT.has(command)) return 'root';
  return MODIFY.has(command) ? 'Sys.Modify' : undefined;
}

const INFO: Record<string, (guest: Guest) => string> = {
  status: guest => `VM status: ${guest.running?.qmp === 'running' ? 'running' : 'paused'}\r\n`,
  version: () => `${QEMU_VERSION}pve-qemu-kvm_${QEMU_VERSION}-1\r\n`,
  name: guest => `${guest.config['name'] ?? `VM ${guest.vmid}`},debug-threads=on\r\n`,
  uuid: guest => `${/uuid=([^,]+)/.exec(guest.config['smbios1'] ?? '')?.[1] ?? ''}\r\n`,
  balloon: guest => `balloon: actual=${memoryBytes(guest.config['memory']) / 1024 ** 2}\r\n`,
  kvm: () => 'kvm support: enabled\r\n',
};

/** What the monitor prints. Only a few questions have an answer, commands change nothing. */
export function answerMonitor(guest: Guest, command: string): string {
  if (!guest.running) return `ERROR: VM ${guest.vmid} not running\n`;
  const [name = '', topic = ''] = command.split(/\s+/);
  if (monitorPrivilege(name) === undefined) return `unknown command: '${name}'\r\n`;
  return name === 'info' ? (INFO[topic]?.(guest) ?? '') : '';
}

const KEYS =
  'shift shift_r alt alt_r ctrl ctrl_r meta_l meta_r menu esc minus equal backspace tab bracket_left bracket_right ret ' +
  'semicolon apostrophe grave_accent backslash comma dot slash asterisk spc caps_lock num_lock scroll_lock kp_divide ' +
  'kp_multiply kp_subtract kp_add kp_enter kp_decimal sysrq less home pgup pgdn end left up down right insert delete ' +
  'print pause stop';

/** Whether qemu knows all keys of a combination such as `ctrl-alt-delete`. */
export function isKnownKey(text: string): boolean {
  const known = new Set(KEYS.split(' '));
  return text.split('-').every(key => known.has(key) || /^(?:[a-z0-9]|f\d\d?|kp_\d|0x[0-9a-f]+)$/.test(key));
}
