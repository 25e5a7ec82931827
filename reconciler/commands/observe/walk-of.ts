import { createHash } from 'node:crypto';
import type { Surroundings } from '../../input/surroundings';

/**
 * In which walk of Terraform this is read. A plan and its apply each start the external provider anew, and give it a
 * certificate that no other process has (go-plugin's AutoMTLS); what the provider starts inherits it. A reading that
 * Terraform put off to the apply is told by that alone from one in the plan. Not there: TF_DISABLE_PLUGIN_TLS is set, or
 * the provider was not started by Terraform.
 */
export function walkOf({ environment }: Pick<Surroundings, 'environment'>): { walk?: string } {
  const certificate = environment['PLUGIN_CLIENT_CERT'] ?? '';
  if (certificate === '') return {};
  return { walk: createHash('sha256').update(certificate).digest('base64url').slice(0, 16) };
}
