terraform {
  required_providers {
    proxmox = {
      source = "bpg/proxmox"
    }
  }
}

variable "endpoint" {
  type = string
}

variable "token" {
  type      = string
  sensitive = true
}

provider "proxmox" {
  endpoint  = var.endpoint
  api_token = var.token
}
