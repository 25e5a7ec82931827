import { oneLine } from '../../report/visible';
import { shellWord } from '../../report/shell-word';
import type { Leaving } from './leaving-machine';

interface Names {
  owner: string;
  /** What the cluster is called on the command line. */
  cluster: string;
}

/** What a run that still wants these machines would do, and the commands by which Terraform forgets its entries. */
export function forgetLines(machines: readonly Leaving[], names: Names): string[] {
  if (machines.length === 0) return [];
  const held = machines.filter(({ isHeld }) => isHeld);
  return [
    `Whoever still wants one of these machines does not find it any more. The next apply of Terraform, reconcile, or round of the daemon makes a new one beside it. Where its spec gives the number of the guest, it is refused; with adopt: true the guest is marked again. So stop the daemon, and take these machines out of the desired state of ${oneLine(names.owner)}, before the next run.`,
    ...(held.length === 0 ? [] : ofTerraform(held, names)),
  ];
}

function ofTerraform(held: readonly Leaving[], names: Names): string[] {
  const cluster = stackCluster(names);
  return [
    `A Terraform state has entries of ${held.map(({ machine }) => oneLine(machine)).join(', ')}. Let it forget them before its next plan, in the folder of that state (with OpenTofu: tofu).`,
    `  Of a stack, where ${cluster} is the name of its ProxmoxCluster:`,
    ...held.map(each => stateRm(ofStack(each, cluster))),
    '  Of the module, where NAME is the name of its call:',
    ...held.map(each => stateRm(ofModule(each))),
    `  Then take the machines out of the code, and apply: nothing is destroyed. Where the whole ProxmoxCluster leaves its stack, removed blocks do the same (Terraform 1.7, OpenTofu 1.10 or newer): from = null_resource.machines_${cluster}, and from = null_resource.snapshots_${cluster}, each with lifecycle { destroy = false }.`,
  ];
}

/** The default owner of a stack is stack/cluster/workspace. */
function stackCluster({ owner, cluster }: Names): string {
  const [, named = cluster, workspace, ...more] = owner.split('/');
  return oneLine(workspace === undefined || more.length > 0 ? cluster : named);
}

/** The addresses are those of constructs/private/resources: a contract, as docs/terraform.md says. */
function ofStack({ machine, snapshots }: Leaving, cluster: string): string[] {
  return [
    `null_resource.machines_${cluster}["${machine}"]`,
    `null_resource.machine_${cluster}_${machine}`,
    ...entriesOf(snapshots).flatMap(name => [
      `null_resource.snapshots_${cluster}["${machine}.${name}"]`,
      `null_resource.snapshot_${cluster}_${machine}_${name}`,
    ]),
  ];
}

function ofModule({ machine, isTemplate, snapshots }: Leaving): string[] {
  return [
    `module.NAME.terraform_data.machines["${machine}"]`,
    `module.NAME.null_resource.machine["${machine}"]`,
    // Terraform passes over an address that the state does not have, where it has another one of the line
    ...(isTemplate ? [`module.NAME.null_resource.template["${machine}"]`] : []),
    ...entriesOf(snapshots).flatMap(name => [
      `module.NAME.terraform_data.snapshots["${machine}.${name}"]`,
      `module.NAME.null_resource.snapshot["${machine}.${name}"]`,
    ]),
  ];
}

function entriesOf(snapshots: Leaving['snapshots']): string[] {
  return snapshots.flatMap(({ name, entry }) => (entry ? [name] : []));
}

/** Whoever may write a description may have written the machine in it: each address is one word. */
function stateRm(addresses: readonly string[]): string {
  return oneLine(`    terraform state rm ${addresses.map(shellWord).join(' ')}`);
}
