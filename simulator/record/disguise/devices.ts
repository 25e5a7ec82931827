import type { Rule } from './parts';
import { address, each, mac, name, only, parts, sign, volume, WORD } from './parts';

const DRIVE_WORDS =
  'acl aio backup bps bps_max_length bps_rd bps_rd_length bps_rd_max_length bps_wr bps_wr_length bps_wr_max_length cache cyls ' +
  'detect_zeroes discard efitype format heads iops iops_max iops_max_length iops_rd iops_rd_length iops_rd_max ' +
  'iops_rd_max_length iops_wr iops_wr_length iops_wr_max iops_wr_max_length iothread mbps mbps_max mbps_rd mbps_rd_max ' +
  'mbps_wr mbps_wr_max media mountoptions ms-cert pre-enrolled-keys queues quota replicate rerror ro scsiblock secs shared ' +
  'size snapshot ssd trans version werror';

export const DRIVE = parts({
  ...each(DRIVE_WORDS, WORD),
  ...{ '': volume, file: volume, volume },
  ...each('serial wwn vendor product model', sign),
  mp: name('path'),
});

const MODELS =
  'virtio e1000 e1000e e1000-82540em e1000-82544gc e1000-82545em i82551 i82557b i82559er ne2k_isa ne2k_pci pcnet rtl8139 vmxnet3';
const ADDRESSES = each('ip ip6 gw gw6', address);

export const NET = parts({
  ...each(`${MODELS} macaddr hwaddr`, mac),
  ...each('firewall host-managed host-tunnel link_down model mtu queues rate tag trunks type', WORD),
  ...ADDRESSES,
  '': only(new RegExp(`^(${MODELS.replaceAll(' ', '|')})$`)),
  bridge: name('bridge'),
  name: name('card'),
});

export const IP_CONFIG = parts(ADDRESSES);

const custom: Rule = (disguise, value, leftOut) =>
  value.startsWith('custom-')
    ? `custom-${disguise.name('cpu', value.slice('custom-'.length))}`
    : WORD(disguise, value, leftOut);

export const CPU = parts({
  ...each('flags guest-phys-bits hidden level phys-bits reported-model', WORD),
  ...{ '': custom, cputype: custom, 'hv-vendor-id': sign },
});

const PCI = /^[\da-f]{2,4}:[\da-f:.;]{1,80}$/i;

export const HOST_PCI = parts({
  ...each('device-id driver legacy-igd mdev pcie rombar sub-device-id sub-vendor-id vendor-id x-vga', WORD),
  ...{ '': only(PCI), host: only(PCI), mapping: name('mapping'), romfile: name('file') },
});

/** A kind of device, a place of a plug, or a channel of SPICE. */
const USB = /^(spice|(0x)?[\da-f]{4}:(0x)?[\da-f]{4}|\d+-\d+(\.\d+)*)$/i;

export const HOST_USB = parts({ '': only(USB), host: only(USB), usb3: WORD, mapping: name('mapping') });

export const SHARED_FOLDER = parts({
  ...each('cache direct-io expose-acl expose-xattr', WORD),
  ...{ '': name('mapping'), dirid: name('mapping') },
});

export const smbios: Rule = (disguise, value, leftOut) => {
  const isBase64 = /(^|,)base64=(1|on|yes|true)/.test(value);
  const text: Rule = (_, part) => {
    const other = disguise.sign(part);
    return isBase64 && other !== part ? Buffer.from(other).toString('base64') : other;
  };
  const rules = {
    ...each('manufacturer product version serial sku family', text),
    base64: WORD,
    uuid: (_: unknown, part: string) => disguise.uuid(part),
  };
  return parts(rules)(disguise, value, leftOut);
};
