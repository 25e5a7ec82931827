locals {
  node = ["pve1", "pve2", "pve3"]
}

# 1: a full copy of a template
resource "proxmox_virtual_environment_vm" "full" {
  count     = 4
  name      = "full-${count.index}"
  node_name = local.node[count.index % 3]
  tags      = ["old", "web"]
  clone {
    vm_id     = 9000
    node_name = "pve1"
    full      = true
  }
  cpu {
    cores = 2
  }
  memory {
    dedicated = 1024
  }
  network_device {
    bridge = "vmbr0"
  }
}

# 2: a linked copy
resource "proxmox_virtual_environment_vm" "linked" {
  for_each    = toset(["a", "b", "c", "d"])
  name        = "linked-${each.key}"
  node_name   = "pve1"
  description = "Copy ${each.key}.\nWith a second line."
  clone {
    vm_id     = 9000
    node_name = "pve1"
    full      = false
  }
  memory {
    dedicated = 512
    floating  = 256
  }
}

# 3: from an image that this state downloaded
resource "proxmox_virtual_environment_vm" "imported" {
  for_each   = { one = "pve1", two = "pve2", three = "pve3" }
  name       = "imported-${each.key}"
  node_name  = each.value
  boot_order = ["virtio0"]
  disk {
    interface    = "virtio0"
    datastore_id = "local-lvm"
    import_from  = proxmox_virtual_environment_download_file.debian.id
    size         = 8
    discard      = "on"
    iothread     = true
  }
  network_device {
    bridge = "vmbr1"
  }
  operating_system {
    type = "l26"
  }
}

# 4: cloud-init from fields
resource "proxmox_virtual_environment_vm" "cloud" {
  count     = 4
  name      = "cloud-${count.index}"
  node_name = "pve2"
  clone {
    vm_id     = 9000
    node_name = "pve1"
  }
  initialization {
    datastore_id = "local-lvm"
    dns {
      domain  = "example.com"
      servers = ["192.0.2.53"]
    }
    ip_config {
      ipv4 {
        address = "192.0.2.${10 + count.index}/24"
        gateway = "192.0.2.1"
      }
    }
    user_account {
      username = "ops"
      password = "a-password"
      keys     = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHvW4Y3hr2nGVhRXfVmD2b3w6Q9bH7uS1kHk1lJrXoXa ops@example"]
    }
  }
  network_device {
    bridge = "vmbr0"
  }
}

# 5: cloud-init from a snippet
resource "proxmox_virtual_environment_vm" "snippet" {
  count     = 3
  name      = "snippet-${count.index}"
  node_name = "pve3"
  clone {
    vm_id     = 9000
    node_name = "pve1"
  }
  initialization {
    datastore_id      = "local-lvm"
    user_data_file_id = "shared:snippets/user.yaml"
    ip_config {
      ipv4 {
        address = "dhcp"
      }
    }
  }
}

# 6: several disks, several cards, VLANs
resource "proxmox_virtual_environment_vm" "wide" {
  count         = 4
  name          = "wide-${count.index}"
  node_name     = "pve1"
  started       = false
  scsi_hardware = "virtio-scsi-single"
  disk {
    interface    = "scsi0"
    datastore_id = "local-lvm"
    size         = 4
    ssd          = true
    iothread     = true
  }
  disk {
    interface    = "scsi1"
    datastore_id = "local-lvm"
    size         = 8
    backup       = false
    cache        = "writeback"
    speed {
      read = 100
    }
  }
  disk {
    interface    = "virtio2"
    datastore_id = "shared"
    file_format  = "qcow2"
    size         = 2
    replicate    = false
    serial       = "data-${count.index}"
  }
  network_device {
    bridge  = "vmbr0"
    vlan_id = 20
  }
  network_device {
    bridge   = "vmbr1"
    trunks   = "30;40"
    firewall = true
    model    = "e1000"
  }
  network_device {
    bridge       = "vmbr2"
    rate_limit   = 12.5
    disconnected = true
  }
}

# 7: UEFI with a TPM
resource "proxmox_virtual_environment_vm" "uefi" {
  count     = 3
  name      = "uefi-${count.index}"
  node_name = "pve2"
  bios      = "ovmf"
  machine   = "q35"
  efi_disk {
    datastore_id      = "local-lvm"
    type              = "4m"
    pre_enrolled_keys = true
  }
  tpm_state {
    datastore_id = "local-lvm"
    version      = "v2.0"
  }
  disk {
    interface    = "scsi0"
    datastore_id = "local-lvm"
    size         = 4
  }
  cdrom {
    file_id   = "shared:iso/debian-12.9.0-amd64-netinst.iso"
    interface = "ide2"
  }
}

# 8: off, and not at boot
resource "proxmox_virtual_environment_vm" "off" {
  count      = 3
  name       = "off-${count.index}"
  node_name  = "pve3"
  started    = false
  on_boot    = false
  protection = count.index == 0
  disk {
    interface    = "sata0"
    datastore_id = "local-lvm"
    size         = 1
  }
}

# 9: an agent, a serial port, its own screen, sound and a watchdog
resource "proxmox_virtual_environment_vm" "agent" {
  count     = 3
  name      = "agent-${count.index}"
  node_name = "pve1"
  clone {
    vm_id     = 9000
    node_name = "pve1"
  }
  agent {
    enabled = true
    trim    = true
  }
  serial_device {}
  vga {
    type = "serial0"
  }
  watchdog {
    enabled = true
    model   = "i6300esb"
    action  = "reset"
  }
  rng {
    source = "/dev/urandom"
  }
}

# 10: in a pool, with tags and an order of start
resource "proxmox_virtual_environment_vm" "pooled" {
  count     = 3
  name      = "pooled-${count.index}"
  node_name = "pve2"
  pool_id   = proxmox_virtual_environment_pool.shop.pool_id
  tags      = ["shop", "tier-${count.index}"]
  started   = false
  startup {
    order      = 10 + count.index
    up_delay   = 30
    down_delay = 60
  }
  usb {
    host = "spice"
  }
}

# 11: processors of all kinds
resource "proxmox_virtual_environment_vm" "cpu" {
  for_each  = { host = "host", v2 = "x86-64-v2-AES", kvm = "kvm64" }
  name      = "cpu-${each.key}"
  node_name = "pve3"
  started   = false
  cpu {
    type    = each.value
    cores   = 2
    sockets = 2
    numa    = true
    limit   = 2
    units   = 200
    flags   = ["+aes"]
  }
  memory {
    dedicated = 2048
  }
  keyboard_layout = "de"
  tablet_device   = false
  operating_system {
    type = "win11"
  }
  lifecycle {
    # Proxmox pins the machine of a Windows guest, and this provider would take that away again
    ignore_changes = [machine]
  }
}

# 12: the newer resources
resource "proxmox_cloned_vm" "newer" {
  count     = 2
  name      = "newer-${count.index}"
  node_name = "pve1"
  clone = {
    source_vm_id = 9000
    full         = true
  }
  cpu = {
    cores = 2
  }
  memory = {
    size = 1024
  }
  network = {
    net0 = { bridge = "vmbr1", model = "virtio" }
  }
}

resource "proxmox_vm" "newest" {
  name      = "newest"
  node_name = "pve2"
  tags      = ["bare"]
  cpu = {
    cores = 1
  }
}
