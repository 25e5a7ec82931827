import { program } from '../../../reconciler/commands/command-line';
import { OTHER_WORDS } from '../../../reconciler/commands/typed/other-words';
import { runHere } from '../../support/runs/line-lab';
import { run } from '../../support/processes/cli';

/** What a user of another program types, and what he is told to write: nothing is sent. */
const LINES: [typed: string, said: string | RegExp][] = [
  // kubectl
  ['apply -f web.yaml', 'By hand write: pve-reconciler reconcile --manifests web.yaml'],
  ['apply', 'By hand write: pve-reconciler reconcile --spec FILE'],
  ['apply --filename=web.yaml', 'pve-reconciler reconcile --manifests web.yaml'],
  ['diff -f web.yaml', 'Write: pve-reconciler plan --manifests web.yaml'],
  ['get vms', 'Write: pve-reconciler status --spec FILE'],
  ['get vm web -o yaml', 'Write: pve-reconciler status web -o yaml --spec FILE'],
  ['get vms -o name', 'Write: pve-reconciler status -o name --spec FILE'],
  ['get vms -o=jsonpath={.items}', 'Write: pve-reconciler status --spec FILE'],
  ['snapshot ls web -o name', 'Write: pve-reconciler snapshot list web -o name --spec FILE'],
  ['describe web -o json', 'Write: pve-reconciler status web -o yaml --spec FILE'],
  ['get machine/web -n prod', 'Write: pve-reconciler status web --spec FILE'],
  ['get nodes', 'Write: pve-reconciler status -o json --spec FILE'],
  ['get events', 'Proxmox keeps what was done as tasks'],
  ['rollout restart web', 'Write: pve-reconciler power reboot web --spec FILE'],
  ['rollout undo web a1', 'Write: pve-reconciler snapshot revert web a1 --spec FILE'],
  ['describe web --spec d.json', 'Write: pve-reconciler status web -o yaml --spec d.json'],
  ['delete -f web.yaml web', 'Write: pve-reconciler destroy web --manifests web.yaml'],
  ['create -f web.yaml', 'Write: pve-reconciler reconcile --manifests web.yaml'],
  ['edit vm web', 'Edit the file of the desired state'],
  ['logs web', 'Write: pve-reconciler console web --spec FILE'],
  ['exec web', 'Write: pve-reconciler console web --spec FILE'],
  ['rollout history web', 'status how machines stand'],
  ['history web --spec d.json', 'Write: pve-reconciler snapshot list web --spec d.json'],
  ['top vm', 'Write: pve-reconciler status -o wide --spec FILE'],
  ['cordon pve1', 'schedulable: false at the node'],
  ['explain vm', 'Write: pve-reconciler schema'],
  ['config view', 'PVE_ENDPOINT'],
  ['scale web', 'It is written in the desired state'],
  // terraform
  ['init', 'Nothing is to be initialized'],
  ['validate --spec d.json', 'Write: pve-reconciler plan --spec d.json'],
  ['show', 'Write: pve-reconciler status --spec FILE'],
  ['state list', 'Proxmox is the only state'],
  ['refresh', 'Each run reads Proxmox anew'],
  ['output -json', 'Write: pve-reconciler status -o json --spec FILE'],
  ['import proxmox_virtual_environment_vm.web pve1/100', 'Write: pve-reconciler adopt --all'],
  ['taint web', 'write rebuildOn'],
  ['workspace new prod', 'owner move'],
  ['force-unlock 1', 'Nothing here keeps a lock of its own'],
  ['plan -out=plan.out', 'No plan is kept'],
  ['plan -target web', 'plan takes all machines of the desired state'],
  ['plan -detailed-exitcode', '--check exits 4'],
  ['reconcile -auto-approve', 'reconcile asks no question'],
  ['destroy web -auto-approve', '--yes answers the question'],
  ['reconcile --dry-run', 'plan tells what would be done'],
  ['reconcile desired.json', 'Write, beside your other flags: pve-reconciler reconcile --spec desired.json'],
  ['reconcile web', '--spec FILE or --manifests PLACE'],
  ['plan -var a=b', 'Values stand in the desired state'],
  ['destroy', 'destroy needs the names of machines'],
  // qm and bpg
  ['start web --spec d.json', 'Write: pve-reconciler power start web --spec d.json'],
  ['qm stop 100', 'Write: pve-reconciler power stop MACHINE --spec FILE'],
  ['qm config 100', 'Write: pve-reconciler status -o yaml --spec FILE'],
  ['qm destroy 100', 'Write: pve-reconciler destroy MACHINE --spec FILE'],
  ['qm snapshot web a1', 'Write: pve-reconciler snapshot create web a1 --spec FILE'],
  ['snap web a1', 'Write: pve-reconciler snapshot create web a1 --spec FILE'],
  ['revert web a1', 'Write: pve-reconciler snapshot revert web a1 --spec FILE'],
  ['kubectl status web', 'Write: pve-reconciler status web --spec FILE'],
  ['vm list', 'Write: pve-reconciler status --spec FILE'],
  ['list', 'Write: pve-reconciler status --spec FILE'],
  ['clone 9000 100', 'image.template'],
  ['set 100 --memory 4096', 'It is written in the desired state'],
  ['migrate 100 pve2', 'node, with pin: true'],
  ['resize 100 scsi0 +10G', 'size of the disk'],
  ['move_disk 100 scsi0 fast', 'storage of the disk'],
  ['template 100', 'asTemplate: true'],
  ['rollback web before', 'Write: pve-reconciler snapshot revert web before --spec FILE'],
  ['delsnapshot web before', 'Write: pve-reconciler snapshot delete web before --spec FILE'],
  ['listsnapshot web', 'Write: pve-reconciler snapshot list web --spec FILE'],
  ['terminal web', 'Write: pve-reconciler console web --spec FILE'],
  ['unlock 100', 'Write: pve-reconciler doctor'],
  ['snapshot ls web', 'Write: pve-reconciler snapshot list web --spec FILE'],
  ['snapshot rollback web a1 --spec d.json', 'pve-reconciler snapshot revert web a1 --spec d.json'],
  ['power restart web --spec d.json', 'Write: pve-reconciler power reboot web --spec d.json'],
  ['power off web', 'Write: pve-reconciler power shutdown web --spec FILE'],
  // without the subcommand, or without the name
  [
    'power web',
    /^error: power needs a subcommand before 'web'; allowed: start, stop, .*Such as: pve-reconciler power start web --spec FILE$/m,
  ],
  ['power web --spec d.json', 'Such as: pve-reconciler power start web --spec d.json'],
  ['snapshot web', "snapshot needs a subcommand before 'web'; allowed: list, create, revert, delete."],
  ['snapshot web --spec d.json', 'Such as: pve-reconciler snapshot list web --spec d.json'],
  [
    'snapshot web clean --spec d.json',
    "snapshot needs a subcommand before 'web'; allowed: list, create, revert, delete. Such as: pve-reconciler snapshot create web clean --spec d.json",
  ],
  [
    'snapshot web list',
    "the subcommand of snapshot comes first: 'list' stands behind 'web'. Write: pve-reconciler snapshot list web --spec FILE",
  ],
  ['snapshot web rollback a1', 'Write: pve-reconciler snapshot revert web a1 --spec FILE'],
  ['power web db --spec d.json', 'Such as: pve-reconciler power start web db --spec d.json'],
  ['power web db off', "'off' stands behind 'web'. Write: pve-reconciler power shutdown web db --spec FILE"],
  ['power off', 'Write: pve-reconciler power shutdown MACHINE --spec FILE'],
  ['snapshot take', 'Write: pve-reconciler snapshot create MACHINE NAME --spec FILE'],
  ['snapshot take web --spec d.json', 'Write: pve-reconciler snapshot create web NAME --spec d.json'],
  ['snapshot rm web a1', 'Write: pve-reconciler snapshot delete web a1 --spec FILE'],
  ['review --markdown', 'Write --format markdown.'],
  ['status --html', '-o FORM chooses how it is printed'],
  ['plan d.yaml', 'Write, beside your other flags: pve-reconciler plan --spec d.yaml'],
  [
    'gc --spec a.yaml b.yaml --yes',
    'Write, beside your other flags: pve-reconciler gc --spec a.yaml --spec b.yaml',
  ],
  // virsh, docker, and more of the others
  ['kubectl get vms', 'Write: pve-reconciler status --spec FILE'],
  ['terraform plan', 'Write: pve-reconciler plan'],
  ['uncordon pve1', 'schedulable: true at the node'],
  ['untaint web', 'rebuildOn without the field'],
  ['cluster-info', 'Write: pve-reconciler doctor'],
  ['api-resources', 'Write: pve-reconciler schema'],
  ['cp web:/a b', 'Files reach a guest by cloudInit.userData'],
  ['debug web', 'Write: pve-reconciler console web --spec FILE'],
  ['logs -f web', 'Write: pve-reconciler console web --spec FILE'],
  ['disk resize 100 scsi0 +1G', 'size or storage of the disk'],
  ['importovf 100 a.ovf', 'image.url or image.file'],
  ['vzdump 100', 'Backups are made and restored in Proxmox'],
  ['restore web', 'Backups are made and restored in Proxmox'],
  ['virsh start web', 'Write: pve-reconciler power start web --spec FILE'],
  ['define web.xml', 'created by reconcile'],
  ['undefine web', 'Write: pve-reconciler destroy web --spec FILE'],
  ['domstate web', 'Write: pve-reconciler status web --spec FILE'],
  ['dumpxml web', 'Write: pve-reconciler status web -o yaml --spec FILE'],
  ['autostart web', 'startOnBoot'],
  ['snapshot-create web a1', 'Write: pve-reconciler snapshot create web a1 --spec FILE'],
  ['snapshot-revert web a1', 'Write: pve-reconciler snapshot revert web a1 --spec FILE'],
  ['kill web', 'Write: pve-reconciler power stop web --spec FILE'],
  ['stats', 'Write: pve-reconciler status -o wide --spec FILE'],
  ['compose up', 'Write: pve-reconciler reconcile --spec FILE'],
  ['export web', 'adopt prints a program'],
  ['ping web', 'Write: pve-reconciler doctor'],
  // mistyped, with options
  ['recncile --spec d.json', "unknown verb 'recncile': did you mean 'reconcile'?"],
  ['reconsile --manifests x -q', "did you mean 'reconcile'?"],
  ['plna --spec d.json --check', "did you mean 'plan'?"],
  ['PLAN --spec d.json', "did you mean 'plan'?"],
  ['staus -o wide', "did you mean 'status'?"],
  ['destory web --spec d.json', "did you mean 'destroy'?"],
  ['snaphsot list web', "did you mean 'snapshot'?"],
  ['docter --json', "did you mean 'doctor'?"],
  ['permission --check', "did you mean 'permissions'?"],
  ['adpot 100', "did you mean 'adopt'?"],
  ['aply -f web.yaml', "did you mean 'apply'?"],
  ['desribe web', /did you mean 'describe'\? There is none here\..*status web -o yaml/],
  ['xyzzy --spec d.json', "unknown verb 'xyzzy': there are plan, reconcile"],
  ['--spec d.json plan', 'the verb comes first'],
  ['observe web', 'By hand write: pve-reconciler status web --spec FILE'],
];

test.each(LINES)('%s', async (typed, said) => {
  const { code, stdout, stderr } = await runHere(typed.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(said instanceof RegExp ? said : literally(said));
  await expectReadable(stderr);
});

test('what stands in place of each verb of others is a line that is read', async () => {
  for (const word of Object.keys(OTHER_WORDS)) {
    const { stderr } = await runHere([word, 'web', 'before', '--spec', 'd.json']);
    expect(stderr).toMatch(/ Write: pve-reconciler /);
    await expectReadable(stderr);
  }
});

test.each([
  [['recncile', '--spec', 'd.json'], /^error: unknown verb 'recncile': did you mean 'reconcile'\?$/m],
  [['get', 'vm', 'web'], /Write: pve-reconciler status web --spec FILE$/m],
  [['apply', '-f', 'web.yaml'], /By hand write: pve-reconciler reconcile --manifests web\.yaml$/m],
])('as a process of its own: %j', async (words, said) => {
  const { code, stderr } = await run(words);
  expect(code).toBe(2);
  expect(stderr).toMatch(said);
});

test('a word with signs of a shell is quoted in the line to write', async () => {
  const { stderr } = await runHere(['get', '$(reboot)', '--spec', "a'b.json"]);
  expect(stderr).toContain(String.raw`pve-reconciler status '$(reboot)' --spec 'a'\''b.json'`);
});

test('help of a verb and the version have a verb too', async () => {
  expect(await run(['help', 'plan'])).toMatchObject({
    code: 0,
    stdout: (await run(['plan', '--help'])).stdout,
  });
  expect(await run(['version'])).toMatchObject({ code: 0, stdout: (await run(['--version'])).stdout });
});

/** Each line that somebody is told to write is one that the program reads. */
async function expectReadable(said: string): Promise<void> {
  for (const [, line = ''] of said.matchAll(/rite: pve-reconciler (.*?)(?:\. Nothing was sent\.)?$/gm)) {
    const all = program(
      () => Promise.resolve(),
      () => undefined,
    );
    await expect(all.parseAsync(line.split(' '), { from: 'user' })).resolves.toBeDefined();
  }
}

function literally(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
}
