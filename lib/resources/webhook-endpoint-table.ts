import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { allOf, type Grant } from '../lambda/grant.ts';
import { allowKey } from './customer-key.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';

type EndpointVariables = { readonly WEBHOOK_ENDPOINT_TABLE: string };
type KeyVariables = { readonly WEBHOOK_SECRET_ARN: string };

/** Where accounts want to be told of events, and the key under which their signing secrets are stored. */
export class WebhookEndpointTable extends ServiceTable {
  readonly #key: Secret;
  readonly #keyArn: string;

  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'account', { sortKey: { name: 'id', type: AttributeType.STRING } });
    this.#keyArn = settings.kmsKeyArn;
    this.#key = new Secret(this, 'Key', {
      description: 'Encrypts the signing secrets of webhook endpoints',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      // Without it the table holds nothing of use: the two go together.
      removalPolicy: settings.deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.#key).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'What is stored under the key could not be read after a rotation; nobody but functions sees it.',
    });
  }

  readonly find = () => this.#grant('dynamodb:GetItem');
  readonly list = () => this.#grant('dynamodb:Query');
  readonly add = () => allOf(this.#grant('dynamodb:PutItem', 'dynamodb:UpdateItem'), this.#useKey());
  readonly change = () => this.#grant('dynamodb:GetItem', 'dynamodb:UpdateItem');
  readonly rotate = () => allOf(this.change(), this.#useKey());
  readonly remove = () => this.#grant('dynamodb:DeleteItem', 'dynamodb:UpdateItem');
  /** To sign what is sent to one. */
  readonly sign = () => allOf(this.find(), this.#useKey());
  /** To find the endpoints of an event, to sign for them, and to note how they do. */
  readonly deliver = () =>
    allOf(this.#grant('dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem'), this.#useKey());

  #useKey(): Grant<KeyVariables> {
    return {
      variables: { WEBHOOK_SECRET_ARN: this.#key.secretArn },
      allow: (grantee) => {
        this.#key.grantRead(grantee);
        allowKey(this, this.#keyArn, 'readSecret', grantee);
      },
    };
  }

  #grant(...actions: string[]): Grant<EndpointVariables> {
    return {
      variables: { WEBHOOK_ENDPOINT_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, actions);
      },
    };
  }
}
