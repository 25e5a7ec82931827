# Endpoint and credentials come from the environment of whoever runs it: PVE_ENDPOINT, PVE_TOKEN_ID, PVE_TOKEN_SECRET.

variable "memory" {
  description = "Memory of each web server."
  type        = string
  default     = "1Gi"
}

locals {
  web = { for number in range(1, 3) : "web-${number}" => {
    image  = { template = "ubuntu-22.04" }
    cpu    = { cores = 1 }
    memory = var.memory
    tags   = ["web"]
  } }
}

# ./proxmox is written by: pve-reconciler module proxmox
module "lab" {
  source  = "./proxmox"
  owner   = "terraform-module"
  cluster = { name = "lab" }

  machines = merge(local.web, {
    db = {
      image  = { template = "ubuntu-22.04" }
      memory = "2Gi"
      disks  = [{ name = "data", size = "4G" }]
    }
  })
}

output "machines" {
  description = "Number, node and phase of each machine."
  value = { for id, machine in module.lab.machines : id => {
    vmid  = machine.vmid
    node  = machine.node
    phase = machine.phase
  } }
}
