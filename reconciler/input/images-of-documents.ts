import * as z from 'zod';
import {
  canonical,
  fleetMachine,
  imageOf,
  parseDesiredState,
  parsePreparedImage,
  SPEC_VERSION,
} from '../../spec';
import { ableClusterOf, valueOf } from './wire-input';
import { readJson } from './read-json';

/**
 * What the images of a Terraform module become, as JSON texts: `spec.<id>` of each template, `image.<name>` that a machine
 * says which is made from one, and `fleet`, what placement must know of the templates.
 */
export function templatesOfImages(query: {
  owner: string;
  cluster: string;
  images: string;
}): Record<string, string> {
  const cluster = ableClusterOf(query.cluster);
  const images = readJson(query.images, 'images');
  const state = { version: SPEC_VERSION, owner: query.owner, cluster, machines: [], images };
  const { machines } = valueOf(parseDesiredState(state));
  const named = z
    .array(z.unknown())
    .parse(images)
    .map(image => valueOf(parsePreparedImage(image)));
  return {
    fleet: canonical(machines.map(fleetMachine)),
    ...Object.fromEntries(machines.map(machine => [`spec.${machine.id}`, canonical(machine)])),
    ...Object.fromEntries(named.map(image => [`image.${image.name}`, canonical(imageOf(image))])),
  };
}
