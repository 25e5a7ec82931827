# The type of a variable would drop a mistyped field in silence. These are the fields; the plan refuses others.
#
# machines = map(object({
#   # Ids that this machine had before.
#   formerIds = optional(list(string))
#   # Name of the guest. Without it the id; a guest that is adopted keeps its own. Allowed: DNS labels joined by ".": letters, digits and "-", no "_", at most 63 characters.
#   name = optional(string)
#   # The guest's number. Without it the lowest free one. Allowed: a whole number from 100 to 999999999.
#   vmid = optional(number)
#   # Take over the guest that has this vmid, as it is.
#   adopt = optional(bool)
#   # Make a template of it once it is as wanted: it is never started, and others are cloned from it, linked.
#   asTemplate = optional(bool)
#   # Preferred node. Allowed: the name of a node: letters, digits and "-", not at either end.
#   node = optional(string)
#   # Stay on node: another one is a drift that migration heals.
#   pin = optional(bool)
#   # Where a new machine may go.
#   placement = optional(object({
#     # Only these nodes.
#     nodes = optional(list(string))
#     # Only nodes that carry all these labels.
#     nodeSelector = optional(map(string))
#     # Not beside machines that match.
#     antiAffinity = optional(list(object({
#       # A label, or "tag" for the tags of every guest. Allowed: a label: letters, digits, ".", "_", "/" and "-", not at either end.
#       key = string
#       # How the label is compared. Allowed: In, NotIn, Exists.
#       operator = string
#       # Compared with the label; none with Exists.
#       values = optional(list(string))
#       # Hard is never violated; soft is avoided. Allowed: hard, soft.
#       mode = optional(string)
#     })))
#     # Emptiest or fullest node first, by the memory that no guest was promised; before it count node, and that a clone need not move. Allowed: spread, pack.
#     strategy = optional(string)
#     # At most so many guests on its node, those that come later counted. Allowed: a whole number from 1 to 100000.
#     maxVMsPerNode = optional(number)
#     # Memory that new machines leave free on its node. Allowed: a size of at least 0, in whole MiB: bytes, or text such as "512Mi", "4Gi", "20G".
#     minFreeMemory = optional(string)
#   }))
#   # What the machine is made from. Allowed: an object such as {"template": "debian-12"}.
#   image = optional(object({
#     # Clone this template; by its id also a machine that is none, in full. Allowed: a template: its name, its id (100 to 999999999), or {"tag": "…"}.
#     template = optional(any)
#     # Clone this machine, or this prepared image, of the same desired state. Allowed: letters, digits and "-", beginning with a letter or digit, at most 63 characters.
#     machine = optional(string)
#     # Nodes with a replica of that machine, which is the machine "<machine>-<node>": the one beside is cloned.
#     replicas = optional(list(string))
#     # Install from this ISO, written storage:iso/name.iso. Allowed: a volume, written storage:volume, such as "local:iso/debian.iso".
#     iso = optional(string)
#     # Import this disk image (.qcow2, .raw, .vmdk, or .img, which is taken as qcow2) into the disk root. A node downloads it once. Allowed: an http or https address without credentials.
#     url = optional(string)
#     # Upload this disk image (.qcow2, .raw, .vmdk, or .img, which is taken as qcow2) of the machine where the reconciler runs, and import it into the disk root. Allowed: an absolute path.
#     file = optional(string)
#     # Nothing: empty disks. Allowed: true.
#     blank = optional(bool)
#     # Kind of clone; full when the source is no template. Allowed: linked, full.
#     clone = optional(string)
#     # Clone this snapshot of the source. Allowed: a name of 2 to 40 letters, digits, "_" or "-", beginning with a letter, not "current" or "pending".
#     snapshot = optional(string)
#     # What the file behind url, or the file, must hash to. The file that a storage keeps is named by it. Allowed: algorithm:digits with one of md5, sha1, sha224, sha256, sha384, sha512 and its number of hexadecimal digits.
#     checksum = optional(string)
#     # Where the file behind url, or the file, is kept; it must allow the content "import". Without it one that does, shared ones first. Allowed: the name of a storage: at least 2 letters, digits, "-", "_" or ".", beginning with a letter.
#     storage = optional(string)
#   }))
#   # Processors.
#   cpu = optional(object({
#     # Cores of each socket, as PVE counts: the guest sees cores × sockets. Allowed: a whole number from 1 to 128.
#     cores = optional(number)
#     # PVE's sockets. Allowed: a whole number from 1 to 4.
#     sockets = optional(number)
#     # PVE has no such key: it is only checked that cores can be divided by it. Allowed: a whole number from 1 to 2.
#     threadsPerCore = optional(number)
#     # CPU model. Allowed: a CPU model, such as "host" or "x86-64-v2-AES".
#     type = optional(string)
#     # CPU flags.
#     flags = optional(list(string))
#     # At most so many CPUs worth of time; 0 is no limit. Allowed: a number from 0 to 128.
#     limit = optional(number)
#     # Weight against other guests. Allowed: a whole number from 1 to 10000.
#     units = optional(number)
#     # NUMA; memory hotplug needs it.
#     numa = optional(bool)
#     # CPUs plugged in at start. Allowed: a whole number from 1 to 512.
#     vcpus = optional(number)
#     # Host CPUs that the guest may use. Only root@pam may set it. Allowed: a list of host CPUs, such as "0-3,8".
#     affinity = optional(string)
#     # Hide KVM from the guest.
#     hidden = optional(bool)
#     # Hyper-V vendor id. Allowed: 1 to 12 letters and digits.
#     hvVendorId = optional(string)
#     # Physical address bits. Allowed: "host" or a whole number from 8 to 64.
#     physBits = optional(any)
#     # Physical address bits that the guest sees. Allowed: a whole number from 32 to 64.
#     guestPhysBits = optional(number)
#     # Highest CPUID level. Allowed: a whole number from 0 to 4294967295.
#     level = optional(number)
#   }))
#   # Memory. Allowed: a size of at least 64Mi, in whole MiB: bytes, or text such as "512Mi", "4Gi", "20G".
#   memory = optional(string)
#   # Ballooning: off, on, or on down to this size. Allowed: true, false, or the smallest memory as a size.
#   balloon = optional(any)
#   # Weight when memory is ballooned automatically. Allowed: a whole number from 0 to 50000.
#   shares = optional(number)
#   # Huge pages in MiB. Only root@pam may set it. Allowed: 2, 1024, any.
#   hugepages = optional(string)
#   # Disks, by name.
#   disks = optional(list(object({
#     # The identity of the disk; "root" is the one that the image brings. Allowed: a DNS label: letters, digits and "-", not at either end, at most 63 characters.
#     name = string
#     # Size. It only ever grows. Allowed: a size of at least 1Mi, in whole MiB: bytes, or text such as "512Mi", "4Gi", "20G".
#     size = optional(string)
#     # Storage that holds the volume. Allowed: the name of a storage: at least 2 letters, digits, "-", "_" or ".", beginning with a letter.
#     storage = optional(string)
#     # Bus. Allowed: ide, sata, scsi, virtio.
#     type = optional(string)
#     # Slot; otherwise assigned once and remembered. Allowed: a slot: ide0 to ide3, sata0 to sata5, scsi0 to scsi30, virtio0 to virtio15.
#     slot = optional(string)
#     # Format of the volume. Allowed: raw, qcow2, vmdk.
#     format = optional(string)
#     # Thick: preallocated where the storage can, refused where not. Allowed: thin, thick.
#     allocation = optional(string)
#     # Host cache. Allowed: none, writethrough, writeback, directsync, unsafe.
#     cache = optional(string)
#     # Shown to the guest as an SSD.
#     ssd = optional(bool)
#     # Pass discard (trim) to the storage.
#     discard = optional(bool)
#     # A thread of its own.
#     iothread = optional(bool)
#     # Asynchronous I/O. Allowed: native, threads, io_uring.
#     aio = optional(string)
#     # Part of backups.
#     backup = optional(bool)
#     # Part of replication jobs.
#     replicate = optional(bool)
#     # Read only.
#     readOnly = optional(bool)
#     # Serial number. Allowed: a serial number of 1 to 20 characters.
#     serial = optional(string)
#     # Throttling.
#     limits = optional(object({
#       # MB/s, read and write together. Allowed: a number from 0 to 1000000 MB/s.
#       mbps = optional(number)
#       # MB/s read. Allowed: a number from 0 to 1000000 MB/s.
#       mbpsRead = optional(number)
#       # MB/s written. Allowed: a number from 0 to 1000000 MB/s.
#       mbpsWrite = optional(number)
#       # Burst of mbps. Allowed: a number from 0 to 1000000 MB/s.
#       mbpsMax = optional(number)
#       # Burst of mbpsRead. Allowed: a number from 0 to 1000000 MB/s.
#       mbpsReadMax = optional(number)
#       # Burst of mbpsWrite. Allowed: a number from 0 to 1000000 MB/s.
#       mbpsWriteMax = optional(number)
#       # Operations a second, read and write together. Allowed: a whole number from 0 to 10000000 a second.
#       iops = optional(number)
#       # Reads a second. Allowed: a whole number from 0 to 10000000 a second.
#       iopsRead = optional(number)
#       # Writes a second. Allowed: a whole number from 0 to 10000000 a second.
#       iopsWrite = optional(number)
#       # Burst of iops. Allowed: a whole number from 0 to 10000000 a second.
#       iopsMax = optional(number)
#       # Burst of iopsRead. Allowed: a whole number from 0 to 10000000 a second.
#       iopsReadMax = optional(number)
#       # Burst of iopsWrite. Allowed: a whole number from 0 to 10000000 a second.
#       iopsWriteMax = optional(number)
#     }))
#     # Attach this volume instead of making one. Allowed: a volume, written storage:volume, such as "local:iso/debian.iso".
#     existingVolume = optional(string)
#     # What happens to the volume when the disk goes. One that is kept stays unused, and is used again where `existingVolume` names it. Allowed: keep, delete.
#     onRemove = optional(string)
#     # Any other property of the drive, in the words of PVE.
#     options = optional(map(any))
#   })))
#   # Network cards, by name.
#   networks = optional(list(object({
#     # The identity of the card; the network map may know a bridge by it. Allowed: a DNS label: letters, digits and "-", not at either end, at most 63 characters.
#     name = string
#     # Bridge, or an entry of the network map. Allowed: the name of a bridge (such as "vmbr0") or of a network map entry (such as "lan").
#     bridge = optional(string)
#     # Kind of card. Allowed: virtio, e1000, e1000e, rtl8139, vmxnet3.
#     model = optional(string)
#     # MAC address, in any case and separator. Allowed: a unicast MAC address, such as "BC:24:11:00:00:01".
#     macAddress = optional(string)
#     # VLAN tag. Allowed: a whole number from 1 to 4094.
#     vlan = optional(number)
#     # VLANs passed through with their tags.
#     trunks = optional(list(string))
#     # Behind Proxmox's firewall.
#     firewall = optional(bool)
#     # MTU; 1 takes that of the bridge. Allowed: a whole number from 1 to 65520.
#     mtu = optional(number)
#     # Packet queues. Allowed: a whole number from 0 to 64.
#     queues = optional(number)
#     # MB/s. Allowed: a number from 0 to 1000000 MB/s.
#     rateLimit = optional(number)
#     # PVE's host-tunnel.
#     hostTunnel = optional(bool)
#     # Cable unplugged.
#     linkDown = optional(bool)
#     # A static address, with name servers.
#     staticIP = optional(object({
#       # Address with its prefix; either family. Allowed: an address with its prefix, such as "192.0.2.10/24".
#       address = string
#       # Default gateway, in the same subnet. Allowed: an address such as "192.0.2.10".
#       gateway = optional(string)
#       # Name servers.
#       dns = optional(list(string))
#     }))
#     # IPv4 by DHCP, or static. Allowed: "dhcp" or {"address": "192.0.2.10/24"}.
#     ipv4 = optional(any)
#     # IPv6 by DHCP, by router advertisement, or static. Allowed: "dhcp", "auto" or {"address": "2001:db8::10/64"}.
#     ipv6 = optional(any)
#   })))
#   # Text for people. Allowed: text.
#   description = optional(string)
#   # Tags, as a set.
#   tags = optional(list(string))
#   # Resource pool. Allowed: the name of a pool: letters, digits, ".", "_" and "-", up to three levels joined by "/".
#   pool = optional(string)
#   # For selectors; they have no form in Proxmox.
#   labels = optional(map(string))
#   # Membership in high availability. The state that HA keeps is that of power. HA rules stay with who runs the cluster: one rule speaks of several machines, also of other owners.
#   ha = optional(object({
#     # The HA group that it is in. Proxmox VE 8 only: later ones have rules. Allowed: a name of at least 2 letters, digits, "_" or "-", beginning with a letter.
#     group = optional(string)
#     # How often a failed start is tried again on the same node. Allowed: a whole number from 0 to 1000.
#     maxRestart = optional(number)
#     # How often it is then tried on another node. Allowed: a whole number from 0 to 1000.
#     maxRelocate = optional(number)
#     # Go back to its best node once that is there. Proxmox VE 9 and later.
#     failback = optional(bool)
#   }))
#   # Destroying is refused until this is false and applied.
#   protection = optional(bool)
#   # Fields whose change may destroy the machine and create it again.
#   rebuildOn = optional(list(string))
#   # observe never writes, and warns of what differs; paused is not even read. A machine that leaves the desired state is destroyed in every mode. Allowed: reconcile, observe, paused.
#   mode = optional(string)
#   # The state that is kept; `unmanaged`: none, and a machine that is destroyed and created again is started if it ran before. Allowed: running, stopped, unmanaged.
#   power = optional(string)
#   # How long a shutdown may take. Allowed: a duration from "1s" to "24h", such as "500ms", "30s", "5m", "1h".
#   shutdownTimeout = optional(string)
#   # Stop hard when the shutdown takes too long.
#   forceStop = optional(bool)
#   # Never: a change that needs a restart is reported as pending. Allowed: never, whenNeeded.
#   restart = optional(string)
#   # What becomes of volumes that were kept and hang on the guest unused, when it is destroyed or made anew: refuse holds that up, destroy lets them go with it once that is applied. Allowed: refuse, destroy.
#   keptVolumes = optional(string)
#   # How long each thing may take.
#   timeouts = optional(object({
#     # How long creating may take. Allowed: a duration from "1s" to "24h", such as "500ms", "30s", "5m", "1h".
#     create = optional(string)
#     # How long a change may take. Allowed: a duration from "1s" to "24h", such as "500ms", "30s", "5m", "1h".
#     apply = optional(string)
#     # How long a destroy may take, as the last apply said. Allowed: a duration from "1s" to "24h", such as "500ms", "30s", "5m", "1h".
#     destroy = optional(string)
#     # How long a run that starts the machine waits for its agent or an address. Allowed: a duration from "1s" to "24h", such as "500ms", "30s", "5m", "1h".
#     agent = optional(string)
#     # How long a start waits until cloud-init is done, once the agent answers. Allowed: a duration from "1s" to "24h", such as "500ms", "30s", "5m", "1h".
#     cloudInit = optional(string)
#   }))
#   # Take a snapshot before a change of devices or disks, or a restart, and keep so many of them. None before a disk or the machine moves, or before the machine is made anew. Allowed: true, false or {"keep": 1}.
#   snapshotBeforeChange = optional(any)
#   # Operating system: linux, windows, solaris, other, or any value of PVE. Allowed: linux, windows, solaris, other, wxp, w2k, w2k3, w2k8, wvista, win7, win8, win10, win11, l24, l26.
#   osType = optional(string)
#   # Chipset. Allowed: "q35", "i440fx", or one of them with a version, or an object.
#   machine = optional(any)
#   # Firmware; ovmf is the same as uefi. Allowed: seabios, uefi, ovmf.
#   bios = optional(string)
#   # Where the EFI variables live.
#   efiDisk = optional(object({
#     # Storage of the EFI variables. Allowed: the name of a storage: at least 2 letters, digits, "-", "_" or ".", beginning with a letter.
#     storage = optional(string)
#     # Size of the variable store. Allowed: 2m, 4m.
#     type = optional(string)
#     # Format of the volume. Allowed: raw, qcow2, vmdk.
#     format = optional(string)
#     # Enrolled Microsoft certificates. Allowed: 2011, 2023, 2023w, 2023k.
#     microsoftCertificates = optional(string)
#   }))
#   # Enrol the secure boot keys in the EFI disk.
#   secureBoot = optional(bool)
#   # A trusted platform module.
#   tpm = optional(object({
#     # Storage of the TPM's state. Allowed: the name of a storage: at least 2 letters, digits, "-", "_" or ".", beginning with a letter.
#     storage = optional(string)
#     # Format of the volume. Allowed: raw, qcow2, vmdk.
#     format = optional(string)
#     # Version. Allowed: v1.2, v2.0.
#     version = optional(string)
#   }))
#   # SCSI controller. Allowed: lsi, lsi53c810, virtio-scsi-pci, virtio-scsi-single, megasas, pvscsi.
#   scsiController = optional(string)
#   # What may be changed while the guest runs.
#   hotplug = optional(list(string))
#   # Hardware virtualisation.
#   kvm = optional(bool)
#   # ACPI.
#   acpi = optional(bool)
#   # Clock in local time.
#   localtime = optional(bool)
#   # disk, network, cdrom, names of disks and networks, or slots such as scsi0.
#   bootOrder = optional(list(string))
#   # Start when the node starts.
#   onBoot = optional(bool)
#   # Order and pauses of starting.
#   startup = optional(object({
#     # Place in the order of starting. Allowed: a whole number from 0 to 1000000.
#     order = optional(number)
#     # Wait after starting. Allowed: a duration from "0s" to "24h", such as "500ms", "30s", "5m", "1h".
#     up = optional(string)
#     # Wait for the shutdown. Allowed: a duration from "0s" to "24h", such as "500ms", "30s", "5m", "1h".
#     down = optional(string)
#   }))
#   # The QEMU guest agent. Allowed: true, false or an object.
#   agent = optional(any)
#   # Display.
#   display = optional(object({
#     # Kind of display. Allowed: cirrus, qxl, qxl2, qxl3, qxl4, none, serial0, serial1, serial2, serial3, std, virtio, virtio-gl, vmware.
#     type = optional(string)
#     # Video memory. Allowed: a size of at least 4Mi, in whole MiB: bytes, or text such as "512Mi", "4Gi", "20G".
#     memory = optional(string)
#     # Clipboard. Allowed: "vnc".
#     clipboard = optional(string)
#   }))
#   # Serial ports. Devices of the node only root@pam may set.
#   serial = optional(list(string))
#   # What is in the CD-ROM drive. Allowed: "none", "cdrom" (the drive of the node), or an ISO such as "local:iso/debian.iso".
#   cdrom = optional(string)
#   # USB devices.
#   usb = optional(list(object({
#     # A resource mapping of the cluster. Allowed: a name of at least 2 letters, digits, "_" or "-", beginning with a letter.
#     mapping = optional(string)
#     # A device of the node. Anything but "spice" only root@pam may set. Allowed: "vendor:product", "bus-port" or "spice".
#     host = optional(string)
#     # USB 3.
#     usb3 = optional(bool)
#   })))
#   # PCI devices.
#   pci = optional(list(object({
#     # A resource mapping of the cluster. Allowed: a name of at least 2 letters, digits, "_" or "-", beginning with a letter.
#     mapping = optional(string)
#     # A device of the node. Only root@pam may set it. Allowed: a PCI address such as "01:00.0".
#     host = optional(string)
#     # As PCI Express; needs q35.
#     pcie = optional(bool)
#     # Show the ROM.
#     rombar = optional(bool)
#     # ROM file. Only root@pam may set it. Allowed: a file name without "," and ";".
#     romFile = optional(string)
#     # Mediated device type. Allowed: a mediated device type.
#     mediatedDevice = optional(string)
#     # The display of the guest.
#     primaryGpu = optional(bool)
#     # Legacy mode of Intel graphics.
#     legacyIgd = optional(bool)
#     # Driver on the node. Allowed: vfio, keep.
#     driver = optional(string)
#     # Vendor id shown. Allowed: an id such as "0x10de".
#     vendorId = optional(string)
#     # Device id shown. Allowed: an id such as "0x10de".
#     deviceId = optional(string)
#     # Subsystem vendor id shown. Allowed: an id such as "0x10de".
#     subVendorId = optional(string)
#     # Subsystem device id shown. Allowed: an id such as "0x10de".
#     subDeviceId = optional(string)
#   })))
#   # Random number generator.
#   rng = optional(object({
#     # Source on the node. Allowed: /dev/urandom, /dev/random, /dev/hwrng.
#     source = string
#     # Bytes a period; 0 is no limit. Allowed: a whole number from 0 to 1000000000.
#     maxBytes = optional(number)
#     # Milliseconds of a period. Allowed: a whole number from 1 to 1000000000 ms.
#     period = optional(number)
#   }))
#   # Watchdog.
#   watchdog = optional(object({
#     # Kind of watchdog. Allowed: i6300esb, ib700.
#     model = optional(string)
#     # What it does. Allowed: reset, shutdown, poweroff, pause, debug, none.
#     action = optional(string)
#   }))
#   # Sound card.
#   audio = optional(object({
#     # Kind of sound card. Allowed: ich9-intel-hda, intel-hda, AC97.
#     device = string
#     # Where the sound goes. Allowed: spice, none.
#     driver = optional(string)
#   }))
#   # Shared directories.
#   virtiofs = optional(list(object({
#     # A directory mapping of the cluster. Allowed: a name of at least 2 letters, digits, "_" or "-", beginning with a letter.
#     mapping = string
#     # Caching. Allowed: auto, always, metadata, never.
#     cache = optional(string)
#     # Honour O_DIRECT.
#     directIo = optional(bool)
#     # POSIX ACLs.
#     exposeAcl = optional(bool)
#     # Extended attributes.
#     exposeXattr = optional(bool)
#   })))
#   # USB tablet as pointer.
#   tablet = optional(bool)
#   # Keyboard layout of the console. Allowed: de, de-ch, da, en-gb, en-us, es, fi, fr, fr-be, fr-ca, fr-ch, hu, is, it, ja, lt, mk, nl, no, pl, pt, pt-br, sv, sl, tr.
#   keyboard = optional(string)
#   # What the guest reads about its hardware.
#   smbios = optional(object({
#     # Manufacturer. Allowed: one line of text, at most 255 characters.
#     manufacturer = optional(string)
#     # Product. Allowed: one line of text, at most 255 characters.
#     product = optional(string)
#     # Version. Allowed: one line of text, at most 255 characters.
#     version = optional(string)
#     # Serial number. Allowed: one line of text, at most 255 characters.
#     serial = optional(string)
#     # SKU. Allowed: one line of text, at most 255 characters.
#     sku = optional(string)
#     # Family. Allowed: one line of text, at most 255 characters.
#     family = optional(string)
#   }))
#   # Script run at start and stop. Only root@pam may set it. Allowed: a volume, written storage:volume, such as "local:iso/debian.iso".
#   hookScript = optional(string)
#   # What happens at the first start.
#   cloudInit = optional(object({
#     # User to make. Allowed: a user name.
#     user = optional(string)
#     # Where the password is read from, when it is sent.
#     passwordFrom = optional(object({
#       # An environment variable of the runner. Allowed: the name of an environment variable.
#       environment = optional(string)
#       # A file of the runner. Allowed: the path of a file.
#       file = optional(string)
#     }))
#     # Raise it to send the password again. Allowed: a whole number from 1 to 1000000000.
#     passwordVersion = optional(number)
#     # Public SSH keys.
#     sshKeys = optional(list(string))
#     # What cloud-init does: text, or an object that becomes a cloud-config. Allowed: text, or an object that is written as YAML.
#     userData = optional(string)
#     # Where user data is read from.
#     userDataFrom = optional(object({
#       # An environment variable of the runner. Allowed: the name of an environment variable.
#       environment = optional(string)
#       # A file of the runner. Allowed: the path of a file.
#       file = optional(string)
#     }))
#     # Network configuration, in place of the one that networks make. Allowed: text, or an object that is written as YAML.
#     networkData = optional(string)
#     # Where the network configuration is read from.
#     networkDataFrom = optional(object({
#       # An environment variable of the runner. Allowed: the name of an environment variable.
#       environment = optional(string)
#       # A file of the runner. Allowed: the path of a file.
#       file = optional(string)
#     }))
#     # Vendor data. Allowed: text, or an object that is written as YAML.
#     vendorData = optional(string)
#     # Where vendor data is read from.
#     vendorDataFrom = optional(object({
#       # An environment variable of the runner. Allowed: the name of an environment variable.
#       environment = optional(string)
#       # A file of the runner. Allowed: the path of a file.
#       file = optional(string)
#     }))
#     # Meta data: each key of it wins over ours. Allowed: text, or an object that is written as YAML.
#     metaData = optional(string)
#     # Where meta data is read from.
#     metaDataFrom = optional(object({
#       # An environment variable of the runner. Allowed: the name of an environment variable.
#       environment = optional(string)
#       # A file of the runner. Allowed: the path of a file.
#       file = optional(string)
#     }))
#     # Name resolution.
#     dns = optional(object({
#       # Name servers.
#       servers = optional(list(string))
#       # Search domains.
#       search = optional(list(string))
#     }))
#     # Storage for the ISO of the data. Without it the one in use, else a shared one, else one of the node. Allowed: the name of a storage: at least 2 letters, digits, "-", "_" or ".", beginning with a letter.
#     storage = optional(string)
#     # Upgrade packages at the first start.
#     upgradePackages = optional(bool)
#     # Wait until cloud-init says that it is done, whenever a run has started the machine. Needs the agent.
#     waitForCompletion = optional(bool)
#   }))
#   # What a run waits for after a start. Allowed: "nothing", "agent", "address" or {"address": {"family": "ipv4"}}.
#   waitFor = optional(any)
#   # Any other key of PVE, in its own words.
#   options = optional(map(any))
#   # Go back to this snapshot, once per value. The machine is then brought to its spec. Allowed: the name of a snapshot, 2 to 40 letters, digits, "_" or "-", and "#2" and so on to go back to it once more.
#   revertTo = optional(string)
#   # Fields to remove from the guest.
#   clear = optional(list(string))
# }))
variable "machines" {
  description = "The machines by id. A field that is left out is not managed."
  type        = any
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for id in keys(var.machines) : can(regex("^[a-zA-Z0-9][a-zA-Z0-9-]{0,62}$", id))])
    error_message = "The id of a machine is 1 to 63 letters, digits and dashes, and does not begin with a dash."
  }
  validation {
    condition     = alltrue([for x in var.machines : x != null])
    error_message = "An entry is null: ${join(", ", [for id, x in var.machines : id if x == null])}. Leave it out, and its machine is destroyed; or say what it is."
  }
}

variable "machines_json" {
  description = "More machines by id, as JSON text: for what another program writes."
  type        = string
  default     = "{}"
  nullable    = false

  validation {
    condition     = alltrue([for id in keys(jsondecode(var.machines_json)) : can(regex("^[a-zA-Z0-9][a-zA-Z0-9-]{0,62}$", id))])
    error_message = "The id of a machine is 1 to 63 letters, digits and dashes, and does not begin with a dash."
  }
  validation {
    condition     = alltrue([for x in jsondecode(var.machines_json) : x != null])
    error_message = "An entry is null: ${join(", ", [for id, x in jsondecode(var.machines_json) : id if x == null])}. Leave it out, and its machine is destroyed; or say what it is."
  }
  validation {
    condition     = length(setintersection(keys(var.machines), keys(jsondecode(var.machines_json)))) == 0
    error_message = "A machine is in machines and in machines_json: remove it from one of both."
  }
}

variable "owner" {
  description = "Who owns the machines: only their owner changes them. It may not change later."
  type        = string

  validation {
    condition     = var.owner != ""
    error_message = "The owner is empty: give a name that no other call uses on this cluster."
  }
}

# cluster = object({
#   # Names the cluster; also selects its environment variables. Allowed: a DNS label: letters, digits and "-", not at either end, at most 63 characters.
#   name = string
#   # Where the API is. Without it the runner's PVE_ENDPOINT. Allowed: an address such as "https://pve.example.com:8006".
#   endpoint = optional(string)
#   # Several addresses of one cluster, tried in order.
#   endpoints = optional(list(string))
#   # Trust any certificate. Each run warns of it.
#   insecureSkipTlsVerify = optional(bool)
#   # The authority that signed the certificate. Allowed: PEM text of certificates, or the path of a file that holds it.
#   caCertificate = optional(string)
#   # A client certificate; its key only from a file or the environment. Allowed: PEM text of certificates, or the path of a file that holds it.
#   clientCertificate = optional(string)
#   # SHA-256 fingerprint that the server's certificate must have. Allowed: a SHA-256 fingerprint: 64 hexadecimal digits, with or without ":".
#   fingerprint = optional(string)
#   # Where credentials are found, never the secret.
#   credentials = optional(object({
#     # Read PREFIX + TOKEN_ID, TOKEN_SECRET, … instead of the variables named for the cluster. Allowed: the beginning of variable names, such as "PVE_LAB_".
#     prefix = optional(string)
#   }))
#   # Nodes that may be used. Without it all.
#   nodes = optional(list(string))
#   # Storages that may be used. Without it all.
#   storages = optional(list(string))
#   # Bridges that may be used. Without it all.
#   networks = optional(list(string))
#   # Network name to bridge; adds to the default map.
#   networkMap = optional(map(string))
#   # Automatic ids are taken from here, the lowest free one first.
#   vmidRange = optional(object({
#     # First. Allowed: a whole number from 100 to 999999999.
#     from = number
#     # Last. Allowed: a whole number from 100 to 999999999.
#     to = number
#   }))
#   # How much may happen at once.
#   limits = optional(object({
#     # Clones of one template at once. Allowed: a whole number from 1 to 256.
#     clonesPerTemplate = optional(number)
#     # Not there yet, and refused. Clones onto one storage at once. Allowed: a whole number from 1 to 256.
#     clonesPerStorage = optional(number)
#     # Tasks on one node at once. Allowed: a whole number from 1 to 256.
#     tasksPerNode = optional(number)
#     # Requests at once. Allowed: a whole number from 1 to 256.
#     requests = optional(number)
#   }))
#   # How long a task may take. Allowed: a duration from "1s" to "24h", such as "500ms", "30s", "5m", "1h".
#   taskTimeout = optional(string)
#   # Shortest wait before a look at a task. Allowed: a duration from "1ms" to "1m", such as "500ms", "30s", "5m", "1h".
#   pollFloor = optional(string)
#   # Longest wait before a look at a task. Allowed: a duration from "1ms" to "1m", such as "500ms", "30s", "5m", "1h".
#   pollCeiling = optional(string)
# })
variable "cluster" {
  description = "The cluster: its name, and what differs from the defaults. Endpoint and credentials come from the environment."
  type        = any
}

variable "own_observer" {
  description = "Machines whose spec holds values that Terraform knows only when it applies: each is observed alone."
  type        = set(string)
  default     = []
  nullable    = false
}

variable "facts" {
  description = "Machines whose outputs are read, at the cost of one process each; null: all of them."
  type        = set(string)
  default     = null
}
