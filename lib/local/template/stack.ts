import * as z from 'zod';
import { LocalCloudError } from '../errors.ts';
import { evaluate, type Lookups } from './intrinsics.ts';
import {
  assertKnownTypes,
  type Environment,
  type Identity,
  identify,
  pseudoParameters,
} from './resource-types.ts';
import type { Resource, Template } from './template.ts';

/** The template with resolved references. */
export type Stack = {
  readonly environment: Environment;
  /** Concurrent executions of the account. */
  readonly concurrencyQuota: number;
  readonly resources: (type: string) => readonly Resource[];
  readonly identity: (logicalId: string) => Identity;
  /** Resolves and parses only the properties in the schema. */
  readonly properties: <Shape extends z.ZodRawShape>(
    resource: Resource,
    schema: z.ZodObject<Shape>,
  ) => z.infer<z.ZodObject<Shape>>;
  readonly resolve: (expression: unknown, where: string) => unknown;
  readonly outputs: () => Readonly<Record<string, string>>;
};

export const createStack = (template: Template, environment: Environment): Stack => {
  assertKnownTypes(template);
  const resolve = (expression: unknown, where: string) => evaluate(expression, where, lookups);
  const pseudo = pseudoParameters(environment);
  const identities = new Map<string, Identity>();
  const byType = new Map<string, readonly Resource[]>();

  const identity = (logicalId: string): Identity => {
    const known = identities.get(logicalId);
    if (known !== undefined) return known;
    const resource = template.Resources[logicalId];
    if (resource === undefined) throw new LocalCloudError(`The template has no resource ${logicalId}.`);
    const name = (property: string) => {
      const given = resolve(resource.Properties[property], `${logicalId}.${property}`);
      if (typeof given === 'string') return given;
      return environment.physicalNames?.[logicalId] ?? `${environment.stackName}-${logicalId}`;
    };
    const made = identify(resource.Type, { logicalId, environment, name });
    identities.set(logicalId, made);
    return made;
  };

  const lookups: Lookups = {
    ref: (name) => {
      if (Object.hasOwn(template.Resources, name)) return identity(name).ref;
      if (Object.hasOwn(pseudo, name)) return pseudo[name];
      return template.Parameters[name]?.Default;
    },
    attribute: (logicalId, attribute) =>
      Object.hasOwn(template.Resources, logicalId) ? identity(logicalId).attributes[attribute] : undefined,
    condition: (name) =>
      Object.hasOwn(template.Conditions, name)
        ? z.boolean().parse(resolve(template.Conditions[name], `The condition ${name}`))
        : undefined,
  };

  return {
    environment,
    concurrencyQuota: template.Metadata.AccountQuotas.LambdaConcurrentExecutions,
    identity,
    resolve,
    outputs: () =>
      Object.fromEntries(
        Object.entries(template.Outputs).map(([name, { Value }]) => [name, String(resolve(Value, name))]),
      ),
    resources: (type) => {
      const known = byType.get(type);
      if (known !== undefined) return known;
      const found = Object.entries(template.Resources)
        .filter(([, resource]) => resource.Type === type)
        .map(([logicalId, resource]) => ({ logicalId, ...resource }));
      byType.set(type, found);
      return found;
    },
    properties: (resource, schema) => {
      const resolved = Object.keys(schema.shape).map(
        (key) => [key, resolve(resource.Properties[key], `${resource.logicalId}.${key}`)] as const,
      );
      const parsed = schema.safeParse(
        Object.fromEntries(resolved.filter(([, value]) => value !== undefined)),
      );
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      throw new LocalCloudError(
        `${[resource.logicalId, ...(issue?.path ?? [])].join('.')}: ${issue?.message}.`,
      );
    },
  };
};
