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

/** The generator that does the work, and the secret with its key. */
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

  /** What it takes in one request, for whoever accepts images for it. */
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
      // Given the key, CDK would write into the key's own policy, which is not ours to change.
      allowKey(this, this.#secretKeyArn(), 'readSecret', grantee);
    },
  });

  /** An existing secret keeps the key that it has. */
  #secretKeyArn(): string {
    const { upstreamSecretArn, upstreamSecretKeyArn, kmsKeyArn } = this.#config;
    return upstreamSecretArn === '' ? kmsKeyArn : upstreamSecretKeyArn;
  }

  /** Made with a random value that the operator replaces: no key stands in a template. */
  #newSecret(): Secret {
    const secret = new Secret(this, 'ApiKey', {
      description: "The upstream generator's API key",
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: "The key is issued by the upstream's vendor, who offers no way to rotate it from here.",
    });
    return secret;
  }
}
