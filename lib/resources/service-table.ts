import { type Attribute, AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant as IamGrant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Grant } from '../lambda/service-function.ts';
import { allowKey, type KeySettings } from './customer-key.ts';
import { keepProtected } from './retention.ts';

export type TableSettings = KeySettings & { readonly deletionProtection: boolean };

type Action =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

type TableKeys = {
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly timeToLiveAttribute?: string;
};

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

/** A table that is billed by request, can be restored to any second, and is protected against deletion. */
export abstract class ServiceTable<Variables extends Readonly<Record<string, string>>> extends Construct {
  readonly table: Table;
  /** The environment variables that tell a function where the table is. */
  protected abstract readonly variables: Variables;
  readonly #keyArn: string;

  constructor(
    scope: Construct,
    id: string,
    { deletionProtection, kmsKeyArn }: TableSettings,
    { partitionKey, sortKey, timeToLiveAttribute }: TableKeys,
  ) {
    super(scope, id);
    this.#keyArn = kmsKeyArn;
    this.table = new Table(this, 'Table', {
      partitionKey: text(partitionKey),
      ...(sortKey === undefined ? {} : { sortKey: text(sortKey) }),
      ...(timeToLiveAttribute === undefined ? {} : { timeToLiveAttribute }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      ...keepProtected({ deletionProtection }),
    });
  }

  /** Lists the items of an account in the order of the sort key. */
  protected addAccountIndex(sortKey: Attribute): void {
    this.table.addGlobalSecondaryIndex({
      indexName: 'by-account',
      partitionKey: text('account'),
      sortKey,
      projectionType: ProjectionType.ALL,
    });
  }

  /** Finds items whose time has come; without names, the index contains all attributes. */
  protected addDueIndex(...nonKeyAttributes: string[]): void {
    this.table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_shard', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.NUMBER },
      ...(nonKeyAttributes.length === 0
        ? { projectionType: ProjectionType.ALL }
        : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes }),
    });
  }

  /** Allows actions on the table and, if an index is named, queries of that index. */
  protected grant(
    actions: readonly Action[],
    index?: 'by-account' | 'by-person' | 'by-email' | 'due',
  ): Grant<Variables> {
    return {
      variables: this.variables,
      allow: (grantee) => {
        if (actions.length > 0) this.#allow(grantee, actions, this.table.tableArn);
        if (index !== undefined) this.#allow(grantee, ['Query'], `${this.table.tableArn}/index/${index}`);
        allowKey(this, this.#keyArn, 'item', grantee);
      },
    };
  }

  #allow(grantee: IGrantable, actions: readonly Action[], resourceArn: string): void {
    IamGrant.addToPrincipal({
      grantee,
      actions: actions.map((action) => `dynamodb:${action}`),
      resourceArns: [resourceArn],
    });
  }
}
