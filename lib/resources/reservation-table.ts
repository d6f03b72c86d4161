import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { allOf, type Grant } from '../lambda/grant.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';

/** Reservations for unfinished requests of accounts with limits: one item each, keyed by task. */
export class ReservationTable extends ServiceTable {
  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'taskId');
    this.table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_shard', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
  }

  /** To make one, to take over that of an earlier try, and to give it back. */
  readonly hold = () => this.#grant(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']);
  readonly end = () => this.#grant(['dynamodb:DeleteItem']);
  readonly sweep = () =>
    allOf(
      this.#grant(['dynamodb:UpdateItem', 'dynamodb:DeleteItem']),
      this.#grant(['dynamodb:Query'], '/index/due'),
    );

  #grant(actions: readonly string[], within = ''): Grant<{ readonly RESERVATION_TABLE: string }> {
    return {
      variables: { RESERVATION_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, actions, within);
      },
    };
  }
}
