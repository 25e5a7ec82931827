import { DefaultTokenResolver, StringConcat, Tokenization, type TerraformStack } from 'cdktf';

/** A value as it will stand in the stack: each token as the expression that it is. */
export function resolved(stack: TerraformStack, value: unknown): unknown {
  return Tokenization.resolve(value, {
    scope: stack,
    resolver: new DefaultTokenResolver(new StringConcat()),
    preparing: false,
  });
}
