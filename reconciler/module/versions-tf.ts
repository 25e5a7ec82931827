/** What the module needs. It brings no provider block, so that for_each and depends_on stay possible on its call. */
export const VERSIONS_TF = `terraform {
  required_version = ">= 1.9.0"

  required_providers {
    external = {
      source  = "hashicorp/external"
      version = ">= 1.2.0"
    }
    null = {
      source  = "hashicorp/null"
      version = ">= 1.0.0"
    }
  }
}
`;
