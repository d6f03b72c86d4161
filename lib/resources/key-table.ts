import type { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';

/** API keys by the hash of the key; the keys themselves are nowhere. */
export class KeyTable extends ServiceTable {
  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'hash');
  }

  readonly find = (): Grant<{ readonly KEY_TABLE: string }> => ({
    variables: { KEY_TABLE: this.table.tableName },
    allow: (grantee) => {
      this.table.grant(grantee, 'dynamodb:GetItem');
    },
  });
}
