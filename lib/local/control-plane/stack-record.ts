import { randomInt, randomUUID } from 'node:crypto';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { AwsError } from '../emulators/aws-http/service.ts';
import { findRefusals } from '../template/aws-rules.ts';
import { type DeployedResource, deployTemplate, generatedName } from '../template/deployed-template.ts';
import { isKnownType } from '../template/resource-types.ts';
import { createStack, type Stack } from '../template/stack.ts';
import { type Template, templateSchema } from '../template/template.ts';

export const validationError = (message: string): AwsError => new AwsError(400, 'ValidationError', message);

export type StackEvent = {
  readonly EventId: string;
  readonly Timestamp: Date;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId: string;
  readonly ResourceType: string;
  readonly ResourceStatus: string;
  readonly ResourceStatusReason: string | undefined;
};

/** A template with the values of its parameters. */
export type Version = {
  readonly body: string;
  readonly template: Template;
  /** Their values as given or by default, which an update can keep. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The resources that AWS would refuse, by logical id, and why. */
  readonly refusals: () => ReadonlyMap<string, string>;
  readonly deployed: () => readonly DeployedResource[];
};

export type StackRecord = {
  readonly name: string;
  readonly id: string;
  readonly created: Date;
  status: string;
  reason: string | undefined;
  version: Version;
  roleArn: string | undefined;
  tags: unknown;
  terminationProtection: boolean;
  /** Of resources that CloudFormation names, by logical id. */
  readonly names: Map<string, string>;
  /** The logical ids of the resources that exist. */
  readonly existing: Set<string>;
  readonly events: StackEvent[];
  outputs: Readonly<Record<string, string>>;
};

export type Home = { readonly region: string; readonly accountId: string; readonly endpoint: string };

export const openStack = (home: Home, { name, names }: StackRecord, { template }: Version): Stack =>
  createStack(template, { ...home, stackName: name, physicalNames: Object.fromEntries(names) });

/** The resources of a stack that exist, also if it is deleted and retained them. */
export const listExisting = (home: Home, record: StackRecord) => {
  const stack = openStack(home, record, record.version);
  return [...record.existing].map((logicalId) => ({
    logicalId,
    type: record.version.template.Resources[logicalId]?.Type ?? '',
    ref: stack.identity(logicalId).ref,
  }));
};
export type ExistingResource = ReturnType<typeof listExisting>[number];

/** Leaves out resources and outputs whose condition is false. */
const applyConditions = (home: Home, stackName: string, template: Template): Template => {
  const { resolve } = createStack({ ...template, Resources: {} }, { ...home, stackName });
  const kept = <Entry extends { readonly Condition?: string | undefined }>(
    entries: Readonly<Record<string, Entry>>,
  ): Record<string, Entry> =>
    Object.fromEntries(
      Object.entries(entries).filter(
        ([name, { Condition }]) =>
          Condition === undefined || resolve({ 'Fn::If': [Condition, true, false] }, name) === true,
      ),
    );
  return { ...template, Resources: kept(template.Resources), Outputs: kept(template.Outputs) };
};

const parseBody = (body: string): Template => {
  const { data, error } = templateSchema.safeParse(body.startsWith('{') ? JSON.parse(body) : parseYaml(body));
  if (data !== undefined) return data;
  throw validationError(`Template format error: ${z.prettifyError(error)}`);
};

type Given = {
  readonly body: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly findParameter: (name: string) => string | undefined;
};

export const readVersion = (home: Home, stackName: string, given: Given): Version => {
  const template = parseBody(given.body);
  const unknown = Object.keys(given.parameters).find((name) => !Object.hasOwn(template.Parameters, name));
  if (unknown !== undefined) throw validationError(`Parameters: [${unknown}] do not exist in the template`);
  const parameters = Object.entries(template.Parameters).map(([name, { Type, Default }]) => {
    const value = given.parameters[name] ?? Default;
    if (value === undefined) throw validationError(`Parameters: [${name}] must have values`);
    return { name, type: Type, value: String(value) };
  });
  const resolved = parameters.map(({ name, type, value }) => {
    if (type === 'CommaDelimitedList') return [name, value === '' ? [] : value.split(',')] as const;
    if (type !== 'AWS::SSM::Parameter::Value<String>') return [name, value] as const;
    const found = given.findParameter(value);
    if (found !== undefined) return [name, found] as const;
    throw validationError(`Unable to fetch parameters [${value}] from parameter store for this account.`);
  });
  const Parameters = Object.fromEntries(
    resolved.map(([name, Default]) => [name, { Type: 'String', Default }]),
  );
  const applied = applyConditions(home, stackName, { ...template, Parameters });
  const types = Object.values(applied.Resources).map(({ Type }) => Type);
  const unrecognized = types.filter((type) => !isKnownType(type));
  if (unrecognized.length > 0)
    throw validationError(`Template format error: Unrecognized resource types: [${unrecognized.join(', ')}]`);
  const environment = { ...home, stackName };
  return {
    body: given.body,
    template: applied,
    parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
    refusals: once(
      () => new Map(findRefusals(applied, environment).map(({ logicalId, reason }) => [logicalId, reason])),
    ),
    deployed: once(() => deployTemplate(applied, environment).resources),
  };
};

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const NOTHING: Version = {
  body: '',
  template: templateSchema.parse({ Resources: {} }),
  parameters: {},
  refusals: () => new Map(),
  deployed: () => [],
};

export const newRecord = ({ region, accountId }: Home, name: string): StackRecord => ({
  name,
  id: `arn:aws:cloudformation:${region}:${accountId}:stack/${name}/${randomUUID()}`,
  created: new Date(),
  status: 'REVIEW_IN_PROGRESS',
  reason: undefined,
  version: NOTHING,
  roleArn: undefined,
  tags: [],
  terminationProtection: false,
  names: new Map(),
  existing: new Set(),
  events: [],
  outputs: {},
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Ends with random characters, as on AWS: two deployments never use the same name. */
export const physicalName = (stackName: string, logicalId: string, type: string): string => {
  const random = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');
  return generatedName(type, stackName, logicalId, random);
};

/** The stack with this id, or the one that has this name now. */
export const findStack = (records: readonly StackRecord[], name: string): StackRecord | undefined =>
  records.findLast(
    (record) => record.id === name || (record.name === name && record.status !== 'DELETE_COMPLETE'),
  );

export const requireStack = (records: readonly StackRecord[], name: string): StackRecord => {
  const found = findStack(records, name);
  if (found === undefined) throw validationError(`Stack with id ${name} does not exist`);
  return found;
};

export const requireIdle = (record: StackRecord): StackRecord => {
  if (/_IN_PROGRESS$/.test(record.status) && record.status !== 'REVIEW_IN_PROGRESS')
    throw validationError(`Stack:${record.id} is in ${record.status} state and can not be updated.`);
  return record;
};
