# What stays with this provider when the guests leave it.
resource "proxmox_virtual_environment_pool" "shop" {
  pool_id = "shop"
  comment = "by the old code"
}

resource "proxmox_virtual_environment_download_file" "debian" {
  content_type       = "import"
  datastore_id       = "shared"
  node_name          = "pve1"
  file_name          = "debian-12.qcow2"
  url                = "https://cloud.debian.org/images/cloud/bookworm/latest/debian-12-genericcloud-amd64.qcow2"
  checksum           = "e7b2a1c7b2f3d0e4f5a6978812345678e7b2a1c7b2f3d0e4f5a69788123456780123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  checksum_algorithm = "sha512"
  verify             = true
}
