import * as z from 'zod';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const permissionSchema = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
});

type Caller = {
  /** The service that wants to invoke, for example `apigateway.amazonaws.com`. */
  readonly principal: string;
  readonly sourceArn: string;
};

/** Whether the function's resource policy lets a service invoke it. */
export const isPermitted = (stack: Stack, functionId: string, { principal, sourceArn }: Caller): boolean => {
  const { ref, attributes } = stack.identity(functionId);
  return stack
    .resources(SUPPORTED_TYPES.permission)
    .map((resource) => stack.properties(resource, permissionSchema))
    .some(
      (permission) =>
        ['lambda:InvokeFunction', 'lambda:*'].includes(permission.Action) &&
        [ref, attributes.Arn].includes(permission.FunctionName) &&
        permission.Principal === principal &&
        (permission.SourceArn === undefined || matches(permission.SourceArn, sourceArn)),
    );
};

const matches = (pattern: string, text: string): boolean => {
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`).test(text);
};
