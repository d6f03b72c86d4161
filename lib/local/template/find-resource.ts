import { LocalCloudError } from '../local-cloud-error.ts';
import type { Resource } from './schema.ts';
import type { Stack } from './stack.ts';

/** A logical id, with or without the hash that CDK appends, or a test of the resource. */
export type ResourceSelector = string | ((resource: Resource) => boolean);

const HASH = /[0-9A-F]{8}$/;

export const findResource = (stack: Stack, type: string, selector: ResourceSelector): string => {
  const isMeant =
    typeof selector === 'function'
      ? selector
      : ({ logicalId }: Resource) => logicalId === selector || logicalId.replace(HASH, '') === selector;
  const [found, ...others] = stack.resources(type).filter(isMeant);
  if (found !== undefined && others.length === 0) return found.logicalId;
  const ids = stack.resources(type).map(({ logicalId }) => logicalId);
  throw new LocalCloudError(`${selector} is not one ${type} of the template, which has: ${ids.join(', ')}.`);
};
