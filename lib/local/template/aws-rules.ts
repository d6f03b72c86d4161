import { LocalCloudError } from '../errors.ts';
import { deployTemplate, generatedName, NAMES, type Problem } from './deployed-template.ts';
import type { Environment } from './resource-types.ts';
import { API_RULES } from './rules/api.ts';
import { MONITORING_RULES } from './rules/monitoring.ts';
import { POLICY_RULES } from './rules/policies.ts';
import type { Rule } from './rules/rule.ts';
import { SERVICE_RULES } from './rules/services.ts';
import { orderByDependencies, type Template } from './template.ts';

export type Refusal = {
  /** Empty for the template as a whole. */
  readonly logicalId: string;
  readonly reason: string;
  readonly rule: string;
  readonly source: string;
};

const excess = (subject: string, found: number, limit: number): readonly Problem[] =>
  found <= limit ? [] : [['', `${subject}: ${found}, and the limit is ${limit}`]];

const count = (section: object): number => Object.keys(section).length;

const templateProblems = (template: Template): readonly Problem[] => [
  ...excess('bytes of the template', Buffer.byteLength(JSON.stringify(template)), 1_000_000),
  ...excess('resources', count(template.Resources), 500),
  ...excess('outputs', count(template.Outputs), 200),
  ...excess('parameters', count(template.Parameters), 200),
  ...excess('bytes of the description', Buffer.byteLength(template.Description), 1024),
  ...Object.entries(template.Outputs).flatMap(([name, { Description }]) =>
    excess(`bytes of the description of ${name}`, Buffer.byteLength(Description), 1024),
  ),
];

const idProblems = (template: Template): readonly Problem[] =>
  [template.Resources, template.Outputs, template.Parameters]
    .flatMap((section) => Object.keys(section))
    .filter((id) => !/^[A-Za-z0-9]{1,255}$/.test(id))
    .map((id) => [id, 'a logical id has 1 to 255 letters and digits']);

/** Characters that each service accepts in a name. */
const CHARACTERS: Readonly<Record<string, RegExp>> = {
  'AWS::IAM::Role': /^[\w+=,.@-]+$/,
  'AWS::Lambda::Function': /^[\w-]+$/,
  'AWS::Logs::LogGroup': /^[\w.\-/#]+$/,
  'AWS::S3::Bucket': /^[a-z0-9][a-z0-9.-]+[a-z0-9]$/,
  'AWS::SQS::Queue': /^[\w-]+(?:\.fifo)?$/,
};

const TEMPLATE_RULES: readonly Rule[] = [
  {
    name: 'template size',
    source: 'CloudFormation quotas',
    check: ({ template }) => templateProblems(template),
  },
  {
    name: 'logical ids',
    source: 'CloudFormation user guide: Template sections',
    check: ({ template }) => idProblems(template),
  },
  {
    name: 'names',
    source: 'Quotas of each service: length of names',
    check: ({ resources }) =>
      resources.flatMap(({ logicalId, type, properties }): Problem[] => {
        const [property = '', longest = 0] = NAMES[type] ?? [];
        const name = properties[property];
        if (typeof name !== 'string') return [];
        if (name.length > longest)
          return [[logicalId, `${property} has ${name.length} characters, and the limit is ${longest}`]];
        return (CHARACTERS[type] ?? /./).test(name) ? [] : [[logicalId, `${property} is not valid: ${name}`]];
      }),
  },
  {
    name: 'generated names',
    source: 'CloudFormation cuts names that are too long, so that policies for STACK-* do not match',
    check: ({ resources, environment: { stackName } }) =>
      resources.flatMap(({ logicalId, type, properties }): Problem[] => {
        const [property = ''] = NAMES[type] ?? [];
        if (property === '' || properties[property] !== undefined) return [];
        const name = generatedName(type, stackName, logicalId);
        return name.toLowerCase().startsWith(`${stackName}-`.toLowerCase())
          ? []
          : [[logicalId, `CloudFormation cuts its name to ${name}, which does not begin with ${stackName}-`]];
      }),
  },
];

export const AWS_RULES: readonly Rule[] = [
  ...TEMPLATE_RULES,
  ...SERVICE_RULES,
  ...MONITORING_RULES,
  ...API_RULES,
  ...POLICY_RULES,
];

const REFERENCES = {
  name: 'references',
  source: 'CloudFormation: "Unresolved resource dependencies"',
} as const;
const CIRCLES = {
  name: 'circular dependencies',
  source: 'CloudFormation: "Circular dependency between resources"',
} as const;

/** Why AWS would refuse the stack, at its creation or at an update; the most basic reasons alone. */
export const findRefusals = (template: Template, environment: Environment): readonly Refusal[] => {
  const { circle } = orderByDependencies(template);
  if (circle !== undefined) return toRefusals(CIRCLES, [['', circle]]);
  const { problems, ...deployed } = deployTemplate(template, environment);
  if (problems.length > 0) return toRefusals(REFERENCES, problems);
  return AWS_RULES.flatMap((rule) => toRefusals(rule, rule.check(deployed)));
};

const toRefusals = (
  { name, source }: Pick<Rule, 'name' | 'source'>,
  problems: readonly Problem[],
): readonly Refusal[] => problems.map(([logicalId, reason]) => ({ logicalId, reason, rule: name, source }));

/** Reports a stack that AWS would refuse before anything starts. */
export const assertAccepted = (template: Template, environment: Environment): void => {
  const refusals = findRefusals(template, environment);
  if (refusals.length === 0) return;
  const lines = refusals.map(({ logicalId, reason, source }) =>
    [logicalId, `${reason} (${source})`].filter(Boolean).join(': '),
  );
  throw new LocalCloudError(`AWS would refuse the stack. ${lines.join('\n')}`);
};
