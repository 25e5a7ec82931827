# What this provider holds beside our machines, in one configuration.
variable "turn" {
  type    = number
  default = 0
}

resource "proxmox_virtual_environment_pool" "shop" {
  pool_id = "shop"
  comment = "turn ${var.turn}"
}

resource "proxmox_virtual_environment_user" "ops" {
  user_id = "ops@pve"
  comment = "turn ${var.turn}"
}

resource "proxmox_virtual_environment_acl" "ops" {
  path    = "/pool/${proxmox_virtual_environment_pool.shop.pool_id}"
  user_id = proxmox_virtual_environment_user.ops.user_id
  role_id = "PVEVMUser"
}

resource "proxmox_download_file" "debian" {
  content_type = "import"
  datastore_id = "shared"
  node_name    = "pve1"
  file_name    = "debian-12.qcow2"
  url          = "https://cloud.debian.org/images/cloud/bookworm/latest/debian-12-genericcloud-amd64.qcow2"
}

module "machines" {
  source  = "./modules/proxmox"
  owner   = "shop"
  cluster = { name = "lab" }
  # the id of a pool that is not there yet is known only at apply: a plan would look for pool_id in vain
  own_observer = ["web", "db"]
  machines = {
    for name in ["web", "db"] : name => {
      image = { template = "ubuntu-22.04" }
      pool  = proxmox_virtual_environment_pool.shop.id
      tags  = ["turn-${var.turn - var.turn % 2}"]
    }
  }
}
