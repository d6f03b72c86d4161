import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccountRecovery, Mfa, OAuthScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { allOf, type Grant, settings } from '../lambda/grant.ts';
import { allowKey } from './customer-key.ts';
import { publicAddress } from './rest-api.ts';

const HOUR = 60 * 60 * 1000;

/** The setting `signIn`, or its defaults: links, no provider. */
const DEFAULTS = {
  name: '',
  scopes: ['openid'],
  parameters: {},
  accounts: [],
  emailDomains: [],
  idleHours: 12,
  maxDays: 30,
  links: true,
} satisfies Partial<NonNullable<Config['signIn']>>;

type Provider = { readonly issuer: string; readonly clientId: string };

/**
 * A user pool whose people an operator creates. Its client is public: the sign-in is protected by PKCE, and a secret of
 * the pool could be passed to the functions only through a custom resource.
 */
class Pool extends Construct {
  readonly provider: Provider;

  constructor(scope: Construct, id: string, domainPrefix: string, config: Config) {
    super(scope, id);
    const pool = new UserPool(this, 'Users', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { sms: false, otp: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      deletionProtection: config.deletionProtection,
      removalPolicy: config.deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    pool.addDomain('Domain', { cognitoDomain: { domainPrefix } });
    const base = publicAddress(config);
    const client = pool.addClient('Console', {
      generateSecret: false,
      authFlows: {},
      preventUserExistenceErrors: true,
      refreshTokenValidity: Duration.days(config.signIn?.maxDays ?? DEFAULTS.maxDays),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: [`${base}/v1/console/sign_in/callback`],
        logoutUrls: [`${base}/console/sign-in`],
      },
    });
    this.provider = { issuer: pool.userPoolProviderUrl, clientId: client.userPoolClientId };
    const reason = 'Threat protection belongs to a paid plan, which is the choice of the account owner.';
    Validations.of(pool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason: 'People can add a second factor; the owner of the pool can require it.',
      },
      { id: 'AwsSolutions-COG3', reason },
      { id: 'AwsSolutions-COG8', reason },
    );
  }
}

/** How people sign in to the console: the OpenID Connect provider, links, and how long sessions last. */
export class SignIn extends Construct {
  readonly offersLinks: boolean;
  readonly #given: NonNullable<Config['signIn']>;
  readonly #provider: Provider | undefined;
  readonly #secret: ISecret | undefined;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#given = config.signIn ?? DEFAULTS;
    const { issuer, clientId = '', clientSecretArn, cognito, links } = this.#given;
    this.offersLinks = links;
    if (cognito !== undefined) this.#provider = new Pool(this, 'Pool', cognito.domainPrefix, config).provider;
    else if (issuer !== undefined) this.#provider = { issuer, clientId };
    if (clientSecretArn !== undefined)
      this.#secret = Secret.fromSecretCompleteArn(this, 'ClientSecret', clientSecretArn);
  }

  readonly times = () => {
    const { idleHours, maxDays } = this.#given;
    const times = { idleMilliseconds: idleHours * HOUR, maxMilliseconds: maxDays * 24 * HOUR };
    return settings({ SESSION_TIMES: JSON.stringify(times) });
  };

  readonly links = () => settings({ SIGN_IN_LINKS: this.offersLinks ? 'true' : 'false' });

  readonly providerName = () =>
    settings({ SIGN_IN_NAME: this.#provider === undefined ? '' : this.#given.name });

  /** Speaks with the provider. */
  readonly provider = () => {
    const { scopes, parameters, emailDomains, accounts } = this.#given;
    return allOf(
      this.providerName(),
      this.times(),
      this.#readSecret(),
      settings({
        SIGN_IN_ISSUER: this.#provider?.issuer ?? '',
        SIGN_IN_CLIENT_ID: this.#provider?.clientId ?? '',
        SIGN_IN: JSON.stringify({ scopes, parameters, emailDomains, accounts }),
      }),
    );
  };

  /** An existing secret keeps its own KMS key. */
  #readSecret(): Grant<{ readonly SIGN_IN_SECRET_ARN: string }> {
    return {
      variables: { SIGN_IN_SECRET_ARN: this.#secret?.secretArn ?? '' },
      allow: (grantee) => {
        this.#secret?.grantRead(grantee);
        allowKey(this, this.#given.clientSecretKeyArn ?? '', 'readSecret', grantee);
      },
    };
  }
}
