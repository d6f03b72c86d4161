import { type Attribute, AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant as IamGrant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import type { Grant } from '../lambda/service-function.ts';
import { allowKey } from './customer-key.ts';
import { keepProtected } from './retention.ts';

type Action =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

type Index = 'by-account' | 'by-person' | 'by-email' | 'due';

export const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });
export const number = (name: string): Attribute => ({ name, type: AttributeType.NUMBER });

type TableDefinition = {
  readonly key: string;
  readonly sortKey?: string;
  /** DynamoDB removes items by their attribute `expires`. */
  readonly expires?: boolean;
  readonly indexes?: Partial<Record<Index, readonly [partitionKey: Attribute, sortKey?: Attribute]>>;
  /** The attributes in the index `due` beside its keys; default: all. */
  readonly dueAttributes?: readonly string[];
};

/** Lists the items of an account in the order of the attribute. */
export const byAccount = (sortKey: Attribute) => ({ 'by-account': [text('account'), sortKey] }) as const;

/** Finds items whose time has come. */
export const DUE = { due: [text('due_shard'), number('due_at')] } as const;

/**
 * A class of tables that are billed by request, can be restored to any second, and are protected against deletion.
 * `variables` returns the environment variable that tells a function where the table is.
 */
export const tableWith = <Variables extends Readonly<Record<string, string>>>(
  variables: (tableName: string) => Variables,
  { key, sortKey, expires = false, indexes = {}, dueAttributes }: TableDefinition,
) => {
  class ServiceTable extends Construct {
    readonly table: Table;
    protected readonly config: Config;

    constructor(scope: Construct, id: string, config: Config) {
      super(scope, id);
      this.config = config;
      this.table = new Table(this, 'Table', {
        partitionKey: text(key),
        ...(sortKey === undefined ? {} : { sortKey: text(sortKey) }),
        ...(expires ? { timeToLiveAttribute: 'expires' } : {}),
        billingMode: BillingMode.PAY_PER_REQUEST,
        pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
        ...keepProtected(config),
      });
      for (const [indexName, [partitionKey, order]] of Object.entries(indexes))
        this.table.addGlobalSecondaryIndex({
          indexName,
          partitionKey,
          ...(order === undefined ? {} : { sortKey: order }),
          ...(indexName === 'due' && dueAttributes !== undefined
            ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...dueAttributes] }
            : { projectionType: ProjectionType.ALL }),
        });
    }

    /** Allows actions on the table and, if an index is named, queries of that index. */
    protected grant(actions: readonly Action[], index?: Index): Grant<Variables> {
      return {
        variables: variables(this.table.tableName),
        allow: (grantee) => {
          if (actions.length > 0) this.#allow(grantee, actions, this.table.tableArn);
          if (index !== undefined) this.#allow(grantee, ['Query'], `${this.table.tableArn}/index/${index}`);
          allowKey(this, this.config.kmsKeyArn, 'item', grantee);
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
  return ServiceTable;
};
