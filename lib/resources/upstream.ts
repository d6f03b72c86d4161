import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { type Grant, settings } from '../lambda/grant.ts';
import { allowKey } from './customer-key.ts';

type UpstreamVariables = {
  readonly UPSTREAM_BASE_URL: string;
  readonly UPSTREAM_KEY_HEADER: string;
  readonly UPSTREAM_MODELS: string;
  readonly UPSTREAM_SECRET_ARN: string;
};

/** The upstream generator and the secret with its API key. */
export class Upstream extends Construct {
  readonly secret: ISecret | Secret;
  readonly #config: Config;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#config = config;
    this.secret =
      config.upstreamSecretArn === ''
        ? this.#newSecret()
        : Secret.fromSecretCompleteArn(this, 'Given', config.upstreamSecretArn);
  }

  /** The largest request that the upstream accepts, for functions that accept images. */
  readonly requestSize = () =>
    settings({ UPSTREAM_REQUEST_MEGABYTES: String(this.#config.upstreamRequestMegabytes) });

  readonly call = (): Grant<UpstreamVariables> => ({
    variables: {
      UPSTREAM_BASE_URL: this.#config.upstreamBaseUrl,
      UPSTREAM_KEY_HEADER: this.#config.upstreamKeyHeader,
      UPSTREAM_MODELS: JSON.stringify(this.#config.upstreamModels),
      UPSTREAM_SECRET_ARN: this.secret.secretArn,
    },
    allow: (grantee) => {
      this.secret.grantRead(grantee);
      // If CDK knew the KMS key, it would change the policy of a key that is not part of this stack.
      allowKey(this, this.#secretKeyArn(), 'readSecret', grantee);
    },
  });

  /** An existing secret keeps its own KMS key. */
  #secretKeyArn(): string {
    const { upstreamSecretArn, upstreamSecretKeyArn, kmsKeyArn } = this.#config;
    return upstreamSecretArn === '' ? kmsKeyArn : upstreamSecretKeyArn;
  }

  /** Created with a random value that the operator replaces, so that the template contains no API key. */
  #newSecret(): Secret {
    const secret = new Secret(this, 'ApiKey', {
      description: "The upstream generator's API key",
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: "The upstream's vendor issues the API key and offers no API to rotate it.",
    });
    return secret;
  }
}
