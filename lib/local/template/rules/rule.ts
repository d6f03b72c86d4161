import type * as z from 'zod';
import type { DeployedResource, DeployedTemplate, Problem } from '../deployed-template.ts';

export type Rule = {
  readonly name: string;
  /** The AWS document that states it. */
  readonly source: string;
  /** The type of the resources that it is about, if they have one. */
  readonly type?: string;
  readonly check: (deployed: DeployedTemplate) => readonly Problem[];
};

export const ofType = ({ resources }: DeployedTemplate, type: string): readonly DeployedResource[] =>
  resources.filter((resource) => resource.type === type);

/** A rule for the properties of each resource of a type. */
export const propertyRule = (name: string, source: string, type: string, schema: z.ZodType): Rule => ({
  name,
  source,
  type,
  check: (deployed) =>
    ofType(deployed, type).flatMap(({ logicalId, properties }) =>
      (schema.safeParse(properties).error?.issues ?? []).map(
        ({ path, message }): Problem => [logicalId, [path.join('.'), message].filter(Boolean).join(': ')],
      ),
    ),
});

export const total = (lengths: readonly number[]): number => lengths.reduce((sum, length) => sum + length, 0);
