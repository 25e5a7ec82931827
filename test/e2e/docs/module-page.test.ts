import { blocks } from '../../repository/code-blocks';
import { fieldExamples } from '../../support/docs/field-examples';
import { fieldsInHcl } from '../../support/docs/said';
import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl } from '../../support/terraform/plain-hcl';

/** A call with the example of each field. */
const examples = fieldExamples().map(
  ({ said }, at) => `m${at} = { ${fieldsInHcl({ image: { blank: true }, ...said })} }`,
);
const EXAMPLES = `module "lab" {
  # … owner, cluster
  machines = {
    ${examples.join('\n    ')}
  }
}
`;
const calls = [
  ...blocks.filter(({ language }) => language === 'hcl'),
  { page: 'docs/field-examples.md', at: 1, text: EXAMPLES },
];

/** What a reader puts in the place of the parts that a page leaves out. */
const whole = (text: string): string =>
  text
    .replace('./modules/proxmox', './proxmox')
    .replace('# … owner, cluster', 'source = "./proxmox"\nowner = "web-team"\ncluster = { name = "lab" }')
    .replace('sha512:…', `sha512:${'0'.repeat(128)}`);

describeEachEngine('the HCL of the pages', engine => {
  test.each(calls.map(block => [`${block.page}:${block.at}`, block] as const))(
    '%s is valid',
    async (_, block) => {
      const lab = await plainHcl(engine);
      try {
        lab.write(whole(block.text));
        expect(await lab.run('init', '-input=false')).toMatchObject({ code: 0 });
        const { code, text } = await lab.run('validate');
        expect({ code, text }).toMatchObject({ code: 0 });
      } finally {
        await lab.close();
      }
    },
  );
});
