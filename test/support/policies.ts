import * as z from 'zod';
import { createStack } from '../../lib/local/template/stack.ts';
import { readSynthesizedStack, type TemplateFiles } from '../../lib/local/template/template.ts';

const HOME = { region: 'us-east-1', accountId: '000000000000', stackName: 'MediaGeneration' };

const functionSchema = z.object({ Role: z.string() });
const roleSchema = z.object({ Policies: z.array(z.object({ PolicyDocument: z.unknown() })) });

/** The policies of each function's role, by the function's logical id. */
export const readPolicies = async (files: TemplateFiles): Promise<Map<string, unknown[]>> => {
  const { template } = await readSynthesizedStack(files);
  const stack = createStack(template, HOME);
  const roles = new Map(
    stack
      .resources('AWS::IAM::Role')
      .map((resource) => [stack.identity(resource.logicalId).attributes.Arn, resource]),
  );
  return new Map(
    stack.resources('AWS::Lambda::Function').map((resource) => {
      const { Role } = stack.properties(resource, functionSchema);
      const role = roles.get(Role);
      if (role === undefined) throw new Error(`${resource.logicalId} has no role of the stack`);
      const { Policies } = stack.properties(role, roleSchema);
      return [resource.logicalId, Policies.map(({ PolicyDocument }) => PolicyDocument)];
    }),
  );
};
