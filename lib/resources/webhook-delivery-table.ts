import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { allOf, type Grant } from '../lambda/grant.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';

/** One item for an event on its way to an endpoint; the ids of an endpoint's deliveries sort by time. */
export class WebhookDeliveryTable extends ServiceTable {
  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'endpointId', {
      sortKey: { name: 'id', type: AttributeType.STRING },
      timeToLiveAttribute: 'expires',
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_shard', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.NUMBER },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['attempts', 'account'],
    });
  }

  readonly list = () => this.#grant(['dynamodb:Query']);
  /** To have a delivery tried again. */
  readonly work = () => this.#grant(['dynamodb:GetItem', 'dynamodb:PutItem']);
  /** To make deliveries, to try them, to put them off, and to count the tries that are under way. */
  readonly deliver = () => this.#grant(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem']);
  readonly sweep = () =>
    allOf(this.#grant(['dynamodb:UpdateItem']), this.#grant(['dynamodb:Query'], '/index/due'));

  #grant(actions: string[], within = ''): Grant<{ readonly WEBHOOK_DELIVERY_TABLE: string }> {
    return {
      variables: { WEBHOOK_DELIVERY_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, actions, within);
      },
    };
  }
}
