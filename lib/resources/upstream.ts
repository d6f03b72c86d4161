import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { allOf, type Grant, settings } from '../lambda/service-function.ts';
import { allowKey } from './customer-key.ts';
import { keepOnceCreated } from './retention.ts';
import { tableWith } from './service-table.ts';

type Upstream = Config['upstreams'][number];
type StateVariables = { readonly UPSTREAM_TABLE: string };

/** The shared state of the upstreams: cool-downs, places and lines. */
class UpstreamTable extends tableWith((UPSTREAM_TABLE: string) => ({ UPSTREAM_TABLE }), {
  key: 'id',
  expires: true,
}) {
  readonly use = () => this.grant(['BatchGetItem', 'UpdateItem']);
  readonly update = () => this.grant(['UpdateItem']);
}

/** The upstream generators, the secret with their credentials, and the state that workers share. */
export class Upstreams extends Construct {
  readonly secret: ISecret | Secret;
  /** Undefined for a single upstream without limits, which needs no shared state. */
  readonly state: UpstreamTable | undefined;
  readonly list: readonly Upstream[];
  readonly #config: Config;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#config = config;
    this.list = config.upstreams;
    this.state = needsState(config.upstreams) ? new UpstreamTable(this, 'State', config) : undefined;
    this.secret =
      config.upstreamSecretArn === ''
        ? this.#newSecret()
        : Secret.fromSecretCompleteArn(this, 'Given', config.upstreamSecretArn);
  }

  /** The largest request that the upstreams accept, for functions that accept images. */
  readonly requestSize = () =>
    settings({ UPSTREAM_REQUEST_MEGABYTES: String(this.#config.upstreamRequestMegabytes) });

  readonly call = () => allOf(this.serve(), this.#readSecret());

  /** Calls the upstreams without the state that workers share. */
  readonly probe = () => allOf(this.offer(), this.#readSecret());

  #readSecret(): Grant<{ readonly UPSTREAM_SECRET_ARN: string }> {
    return {
      variables: { UPSTREAM_SECRET_ARN: this.secret.secretArn },
      allow: (grantee) => {
        this.secret.grantRead(grantee);
        // If CDK knew the KMS key, it would change the policy of a key that is not part of this stack.
        allowKey(this, this.#secretKeyArn(), 'readSecret', grantee);
      },
    };
  }

  /** Tells what the upstreams can do. */
  readonly offer = () => settings({ UPSTREAMS: JSON.stringify(this.list) });

  /** Reads and changes the state of the upstreams, but calls none of them. */
  readonly serve = () => allOf(this.state?.use() ?? NO_STATE, this.offer());

  /** Returns the places of tasks that end. */
  readonly returnPlaces = (): Grant<StateVariables> => this.state?.update() ?? NO_STATE;

  /** An existing secret keeps its own KMS key. */
  #secretKeyArn(): string {
    const { upstreamSecretArn, upstreamSecretKeyArn, kmsKeyArn } = this.#config;
    return upstreamSecretArn === '' ? kmsKeyArn : upstreamSecretKeyArn;
  }

  /** Created with a random value that the operator replaces, so that the template contains no API key. */
  #newSecret(): Secret {
    const secret = new Secret(this, 'ApiKey', {
      description: "The upstream generators' credentials",
      // CloudFormation deletes a secret at once, without the 30 days in which it could be recovered.
      removalPolicy: keepOnceCreated(this.#config),
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: "The upstreams' vendors issue the credentials and offer no API to rotate them.",
    });
    return secret;
  }
}

const NO_STATE = settings({ UPSTREAM_TABLE: '' });

/** A single upstream without limits needs no state that workers share. */
const needsState = (upstreams: readonly Upstream[]): boolean =>
  upstreams.length > 1 ||
  upstreams.some(
    ({ submitsPerMinute, videosAtOnce }) => submitsPerMinute !== undefined || videosAtOnce !== undefined,
  );
