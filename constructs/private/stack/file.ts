import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TerraformStack } from 'cdktf';
import { addCustomSynthesis } from 'cdktf/lib/synthesize/synthesizer';
import { Construct } from 'constructs';

/** A file that is written into the stack's folder when the stack is synthesized. */
export class StackFile extends Construct {
  /**
   * @param file Its path below the stack's folder, with "/".
   * @param content Asked for at synth.
   */
  constructor(
    scope: Construct,
    id: string,
    readonly file: string,
    content: () => string | Buffer,
  ) {
    super(scope, id);
    addCustomSynthesis(this, {
      onSynthesize: session => {
        const stack = session.manifest.forStack(TerraformStack.of(this));
        const target = path.join(session.outdir, stack.workingDirectory, file);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, content());
      },
    });
  }

  /** The path as Terraform expands it. */
  get inTerraform(): string {
    return `\${path.module}/${this.file}`;
  }
}
