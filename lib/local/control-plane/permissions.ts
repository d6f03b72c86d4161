import * as z from 'zod';
import type { Resource } from '../template/template.ts';
import { isCallAllowed, listDeploymentCalls } from './deployment-calls.ts';
import type { Home, StackRecord } from './stack-record.ts';

type Options = {
  readonly home: Home;
  /** The properties of a role that a stack has created. */
  readonly findRole: (name: string) => unknown;
  readonly findDocument: (policyArn: string) => object | undefined;
};

const roleSchema = z.looseObject({ ManagedPolicyArns: z.array(z.string()).default([]) });

const nameInArn = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1);

/** Checks the permissions of principals and roles that have policies of the account; others are administrators. */
export class Permissions {
  readonly #options: Options;
  readonly #principals = new Map<string, readonly unknown[]>();
  #calls = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  readonly count = (): number => this.#calls;

  addPrincipal(principal: string, documents: readonly unknown[]): void {
    this.#principals.set(principal, documents);
  }

  async mayAssume(principal: string, resource: string): Promise<boolean> {
    const documents = this.#principals.get(principal);
    return documents === undefined || isCallAllowed(documents, { action: 'sts:AssumeRole', resource });
  }

  /** The reason why the role of a deployment may not create, change or delete a resource. */
  async refuse(record: StackRecord, { logicalId }: Resource): Promise<string | undefined> {
    const role = nameInArn(record.roleArn ?? '');
    const { ManagedPolicyArns } = roleSchema.parse(this.#options.findRole(role) ?? {});
    const documents = ManagedPolicyArns.flatMap((arn) => this.#options.findDocument(arn) ?? []);
    if (documents.length === 0) return undefined;
    const { region, accountId } = this.#options.home;
    const resources = record.version.deployed().filter((resource) => resource.logicalId === logicalId);
    const boundary = nameInArn(String(resources[0]?.properties.PermissionsBoundary ?? ''));
    const deployment = { stackName: record.name, account: accountId, region, boundary, resources };
    for (const call of listDeploymentCalls(deployment)) {
      this.#calls += 1;
      if (await isCallAllowed(documents, call)) continue;
      return `User: arn:aws:sts::${accountId}:assumed-role/${role}/AWSCloudFormation is not authorized to perform: ${call.action} on resource: ${call.resource}`;
    }
    return undefined;
  }
}
