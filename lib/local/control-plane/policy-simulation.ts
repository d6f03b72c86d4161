import { runSimulation } from '@cloud-copilot/iam-simulate';
import { HOME } from '../emulators/start.ts';

type Request = {
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  readonly context: Record<string, string>;
  /** The policy of the resource itself, where it has one. */
  readonly resourcePolicy?: unknown;
};

/** Whether policies of a role allow the request, as AWS decides it. */
export const isAllowedBy = async (
  policies: readonly unknown[],
  { principal, action, resource, context, resourcePolicy }: Request,
): Promise<boolean> => {
  const result = await runSimulation(
    {
      identityPolicies: policies.map((policy, position) => ({ name: `policy${position}`, policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      ...(resourcePolicy === undefined ? {} : { resourcePolicy }),
      request: {
        action,
        principal: `arn:aws:iam::${HOME.accountId}:role/${principal}`,
        resource: { resource, accountId: HOME.accountId },
        contextVariables: context,
      },
    },
    {},
  );
  if (result.resultType === 'error') throw new Error(`${action} on ${resource}: ${result.errors.message}`);
  return result.overallResult === 'Allowed';
};
