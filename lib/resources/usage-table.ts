import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';

/** What was charged, summed by day, key, model and size: a month is read without reading its charges. */
export class UsageTable extends ServiceTable {
  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'account', { sortKey: { name: 'entry', type: AttributeType.STRING } });
  }

  readonly add = (): Grant<{ readonly USAGE_TABLE: string }> => ({
    variables: { USAGE_TABLE: this.table.tableName },
    allow: (grantee) => {
      this.allow(grantee, ['dynamodb:UpdateItem']);
    },
  });

  readonly read = (): Grant<{ readonly USAGE_TABLE: string }> => ({
    variables: { USAGE_TABLE: this.table.tableName },
    allow: (grantee) => {
      this.allow(grantee, ['dynamodb:Query']);
    },
  });
}
