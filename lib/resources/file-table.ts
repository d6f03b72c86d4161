import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { allOf, type Grant, settings } from '../lambda/grant.ts';
import { ServiceTable } from './service-table.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** The files of accounts, and beside each account's the sum of their bytes. */
export class FileTable extends ServiceTable {
  readonly #config: Config;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, config, 'account', { sortKey: { name: 'id', type: AttributeType.STRING } });
    this.#config = config;
    this.table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'due_shard', type: AttributeType.STRING },
      sortKey: { name: 'due_at', type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
  }

  readonly create = () =>
    allOf(
      this.#grant(['dynamodb:PutItem', 'dynamodb:UpdateItem']),
      settings({
        FILE_STORAGE_MEGABYTES: String(this.#config.fileStorageMegabytes),
        FILE_RETENTION_SECONDS: String(this.#config.fileRetentionDays * DAY_SECONDS),
      }),
    );
  readonly list = () => this.#grant(['dynamodb:Query']);
  /** To find a file, and to note that it has arrived. */
  readonly find = () => this.#grant(['dynamodb:GetItem', 'dynamodb:UpdateItem']);
  readonly remove = () => this.find();
  /** To find the files that a request names. */
  readonly use = () => this.#grant(['dynamodb:GetItem']);
  readonly expire = () =>
    allOf(
      this.#grant(['dynamodb:UpdateItem', 'dynamodb:DeleteItem']),
      this.#grant(['dynamodb:Query'], '/index/due'),
    );

  #grant(actions: string[], within = ''): Grant<{ readonly FILE_TABLE: string }> {
    return {
      variables: { FILE_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, actions, within);
      },
    };
  }
}
