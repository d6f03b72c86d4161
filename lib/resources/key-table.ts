import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { allOf, type Grant, settings } from '../lambda/grant.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';
import type { SessionTable } from './session-table.ts';

type Settings = TableSettings & { readonly accountRequestsPerSecond: number };
type KeyTableVariables = { readonly KEY_TABLE: string };

/** API keys by the hash of the key; the keys themselves are nowhere. */
export class KeyTable extends ServiceTable {
  readonly #sessions: SessionTable;
  readonly #requestsPerSecond: number;

  constructor(scope: Construct, id: string, config: Settings, sessions: SessionTable) {
    super(scope, id, config, 'hash');
    this.#sessions = sessions;
    this.#requestsPerSecond = config.accountRequestsPerSecond;
    this.table.addGlobalSecondaryIndex({
      indexName: 'by-account',
      partitionKey: { name: 'account', type: AttributeType.STRING },
      sortKey: { name: 'createdAt', type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
  }

  /** What it takes to know a caller: by a key, or by a session of the console. */
  readonly find = () =>
    allOf(
      this.#grant(['dynamodb:GetItem']),
      this.#sessions.find(),
      settings({ ACCOUNT_REQUESTS_PER_SECOND: String(this.#requestsPerSecond) }),
    );
  readonly list = () => this.#grant(['dynamodb:Query'], '/index/by-account');
  readonly add = () => this.#grant(['dynamodb:PutItem']);
  readonly revoke = () => this.#grant(['dynamodb:UpdateItem']);

  #grant(actions: string[], within = ''): Grant<KeyTableVariables> {
    return {
      variables: { KEY_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, actions, within);
      },
    };
  }
}
