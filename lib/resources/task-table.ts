import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';

type TaskTableVariables = { readonly TASK_TABLE: string };

/** One item a task: the unit of truth. */
export class TaskTable extends ServiceTable {
  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'id', { timeToLiveAttribute: 'expires' });
    this.table.addGlobalSecondaryIndex({
      indexName: 'by-account',
      partitionKey: { name: 'account', type: AttributeType.STRING },
      sortKey: { name: 'position', type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_shard', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.NUMBER },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['step', 'sweeps'],
    });
  }

  readonly find = () => this.#grant(['dynamodb:GetItem'], []);
  readonly list = () => this.#grant(['dynamodb:GetItem'], ['by-account']);
  readonly create = () => this.#grant(['dynamodb:GetItem', 'dynamodb:PutItem'], []);
  readonly advance = () => this.#grant(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'], []);
  /** To advance tasks, and to count the slow steps of all accounts. */
  readonly work = () =>
    this.#grant(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:UpdateItem'], []);
  readonly sweep = () => this.#grant(['dynamodb:GetItem', 'dynamodb:UpdateItem'], ['due']);

  #grant(actions: string[], indexes: string[]): Grant<TaskTableVariables> {
    return {
      variables: { TASK_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, actions);
        for (const index of indexes) this.allow(grantee, ['dynamodb:Query'], `/index/${index}`);
      },
    };
  }
}
