import { otherOwnerText } from '../../reconciler/daemon/other-owner';
import { listed, mark } from '../support/reconciler/observed';

const textFor = (owner: string): string =>
  otherOwnerText({ listed: listed({ vmid: 100 }), mark: mark({ owner }) }, 'team/lab');

test('the printed command has the name of the other owner', () => {
  expect(textFor('web/prod')).toContain('pve-reconciler owner move web/prod team/lab web. ');
});

test.each(['--yes', '$(reboot)', "it's"])('an owner %s is neither an option nor run there', owner => {
  expect(textFor(owner)).toContain('pve-reconciler owner move OLD team/lab web. ');
});

test('what a Terraform state holds is not to be moved', () => {
  const held = { listed: listed({ vmid: 100 }), mark: mark({ owner: 'web/prod', entry: 'e1' }) };
  expect(otherOwnerText(held, 'team/lab')).toContain('with the --owner that it had. Or, to leave');
});
