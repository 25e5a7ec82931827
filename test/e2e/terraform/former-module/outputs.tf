output "machines" {
  description = "What is known of each machine whose facts are read, by id."
  value = {
    for id, facts in data.external.facts : id => {
      vmid             = local.said[id].vmid == null ? jsondecode(lookup(facts.result, "vmid", "null")) : local.said[id].vmid
      node             = jsondecode(lookup(facts.result, "node", "null"))
      uuid             = jsondecode(lookup(facts.result, "uuid", "null"))
      name             = local.said[id].name == null ? jsondecode(lookup(facts.result, "name", "null")) : local.said[id].name
      phase            = jsondecode(lookup(facts.result, "phase", "null"))
      powerState       = jsondecode(lookup(facts.result, "powerState", "null"))
      cpu              = jsondecode(lookup(facts.result, "cpu", "null"))
      primaryIpAddress = local.said[id].address == null ? local.first_address[id] : local.said[id].address
      ipAddresses      = jsondecode(local.awaited[id] ? lookup(facts.result, "ipAddresses", "null") : "null")
      macAddresses     = jsondecode(lookup(facts.result, "macAddresses", "null"))
      disks            = jsondecode(lookup(facts.result, "disks", "null"))
      restartRequired  = jsondecode(lookup(facts.result, "restartRequired", "null"))
      pendingChanges   = jsondecode(lookup(facts.result, "pendingChanges", "null"))
      mode             = jsondecode(lookup(facts.result, "mode", "null"))
      consoleUrl       = jsondecode(lookup(facts.result, "consoleUrl", "null"))
      snapshots        = jsondecode(lookup(facts.result, "snapshots", "null"))
    }
  }
}

output "revisions" {
  description = "Changes when a machine was changed, by id: something for others to wait for."
  value       = { for id, machine in null_resource.machine : id => machine.id }
}
