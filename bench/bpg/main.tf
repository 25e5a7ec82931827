# The machines of bench/terraform.mjs by bpg's provider, for `--theirs bench/bpg` (npm run setup -- bpg builds it).
terraform {
  required_providers {
    proxmox = {
      source = "bpg/proxmox"
    }
  }
}

variable "machines" { type = number }
variable "tag" { type = string }
variable "memory" { type = number }
variable "endpoint" { type = string }
variable "token_id" { type = string }
variable "token_secret" { type = string }
# not used: the provider takes no file of certificates
variable "ca_file" { type = string }

provider "proxmox" {
  endpoint  = var.endpoint
  api_token = "${var.token_id}=${var.token_secret}"
  insecure  = true
}

resource "proxmox_virtual_environment_vm" "web" {
  for_each  = toset([for index in range(var.machines) : tostring(index)])
  name      = "theirs-${each.key}"
  node_name = "pve${each.key % 3 + 1}"
  tags      = [var.tag]

  clone {
    vm_id     = 9000
    node_name = "pve1"
    full      = false
  }
  cpu {
    cores = 1
  }
  memory {
    dedicated = var.memory
  }
  disk {
    interface    = "scsi0"
    datastore_id = "local-lvm"
    size         = 12
  }
  network_device {
    bridge = "vmbr0"
  }
  stop_on_destroy = true
}
