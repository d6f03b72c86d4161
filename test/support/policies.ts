import * as z from 'zod';
import { readSynthesizedStack, type TemplateFiles } from '../../lib/local/template/read-template.ts';
import { createStack } from '../../lib/local/template/stack.ts';

const functionSchema = z.object({ Role: z.string() });
const policySchema = z.object({ PolicyDocument: z.unknown(), Roles: z.array(z.string()) });

/** The policies of each function's role, by the function's logical id. */
export const readPolicies = async (files: TemplateFiles): Promise<Map<string, unknown[]>> => {
  const { template } = await readSynthesizedStack(files);
  const stack = createStack(template, {
    region: 'us-east-1',
    accountId: '000000000000',
    stackName: 'MediaGeneration',
  });
  const policies = stack
    .resources('AWS::IAM::Policy')
    .map((resource) => stack.properties(resource, policySchema));
  return new Map(
    stack.resources('AWS::Lambda::Function').map((resource) => {
      const { Role } = stack.properties(resource, functionSchema);
      const own = policies.filter(({ Roles }) => Roles.some((role) => Role.endsWith(`/${role}`)));
      return [resource.logicalId, own.map(({ PolicyDocument }) => PolicyDocument)];
    }),
  );
};
