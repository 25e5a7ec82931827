/** The null resource and its provider. In the package for cdktn `null-provider.cdktn` takes the place of this file. */
export { NullProvider } from '@cdktf/provider-null/lib/provider';
export { Resource as NullResource } from '@cdktf/provider-null/lib/resource';
