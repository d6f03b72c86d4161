import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { allOf, type Grant } from '../lambda/service-function.ts';
import { allowKey } from './customer-key.ts';
import { keepOnceCreated } from './retention.ts';
import { DUE, tableWith } from './service-table.ts';

/** The webhook endpoints of accounts, and the secret that encrypts their signing secrets. */
export class WebhookEndpointTable extends tableWith(
  (WEBHOOK_ENDPOINT_TABLE: string) => ({ WEBHOOK_ENDPOINT_TABLE }),
  {
    key: 'account',
    sortKey: 'id',
  },
) {
  readonly #secret: Secret;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, config);
    this.#secret = new Secret(this, 'Key', {
      description: 'Encrypts the signing secrets of webhook endpoints',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      // A retained table is useless without the secret.
      removalPolicy: keepOnceCreated(config),
    });
    Validations.of(this.#secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Signing secrets could not be decrypted after a rotation; only functions read this secret.',
    });
  }

  readonly find = () => this.grant(['GetItem']);
  readonly list = () => this.grant(['Query']);
  readonly add = () => allOf(this.grant(['PutItem', 'UpdateItem']), this.#useSecret());
  readonly change = () => this.grant(['GetItem', 'UpdateItem']);
  readonly rotate = () => allOf(this.change(), this.#useSecret());
  readonly remove = () => this.grant(['DeleteItem', 'UpdateItem']);
  readonly sign = () => allOf(this.find(), this.#useSecret());
  /** Finds the endpoints for an event, signs, and records the result. */
  readonly deliver = () => allOf(this.grant(['GetItem', 'Query', 'UpdateItem']), this.#useSecret());

  #useSecret(): Grant<{ readonly WEBHOOK_SECRET_ARN: string }> {
    return {
      variables: { WEBHOOK_SECRET_ARN: this.#secret.secretArn },
      allow: (grantee) => {
        this.#secret.grantRead(grantee);
        allowKey(this, this.config.kmsKeyArn, 'readSecret', grantee);
      },
    };
  }
}

/** One item per event and webhook endpoint; the ids of an endpoint's deliveries sort by time. */
export class WebhookDeliveryTable extends tableWith(
  (WEBHOOK_DELIVERY_TABLE: string) => ({ WEBHOOK_DELIVERY_TABLE }),
  {
    key: 'endpointId',
    sortKey: 'id',
    expires: true,
    indexes: DUE,
    dueAttributes: ['attempts', 'account'],
  },
) {
  readonly list = () => this.grant(['Query']);
  readonly resend = () => this.grant(['GetItem', 'PutItem']);
  /** Creates, attempts and postpones deliveries, and counts the attempts in progress. */
  readonly deliver = () => this.grant(['GetItem', 'PutItem', 'UpdateItem']);
  readonly sweep = () => this.grant(['UpdateItem'], 'due');
}
