import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';

/** Where alarms go: an encrypted topic that this account's alarms can publish to, and an e-mail address if there is one. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { alarmEmail, stackName, kmsKeyArn }: Config) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      displayName: `${stackName} alarms`,
      ...(kmsKeyArn === '' ? { masterKey: this.#newKey(stackName) } : {}),
      enforceSSL: true,
    });
    // A topic with a policy of its own, as TLS asks for, allows nobody else by itself.
    this.topic.addToResourcePolicy(this.#alarmsMay(['sns:Publish'], this.topic.topicArn));
    if (alarmEmail !== '') this.topic.addSubscription(new EmailSubscription(alarmEmail));
  }

  /** AWS's own key for SNS lets no alarm in: its policy cannot be changed. */
  #newKey(stackName: string): Key {
    const key = new Key(this, 'Key', {
      description: `Encrypts the alarms of ${stackName}`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(this.#alarmsMay(['kms:Decrypt', 'kms:GenerateDataKey'], '*'));
    return key;
  }

  #alarmsMay(actions: string[], resource: string): PolicyStatement {
    return new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions,
      resources: [resource],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    });
  }
}
