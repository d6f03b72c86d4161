import { AccountRecovery, Mfa, OAuthScope, UserPool } from 'aws-cdk-lib/aws-cognito';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Duration, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { allOf, type Grant, settings } from '../lambda/service-function.ts';
import { signInSchema, signInVariables } from '../sign-in-schema.ts';
import { allowKey } from './customer-key.ts';
import { publicAddress } from './rest-api.ts';
import { keepProtected } from './retention.ts';

type Provider = { readonly issuer: string; readonly clientId: string };

type PoolSettings = { readonly domainPrefix: string; readonly maxDays: number };

/**
 * A user pool whose people an operator creates. Its client is public: the sign-in is protected by PKCE, and a secret of
 * the pool could be passed to the functions only through a custom resource.
 */
class Pool extends Construct {
  readonly provider: Provider;

  constructor(scope: Construct, id: string, { domainPrefix, maxDays }: PoolSettings, config: Config) {
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
      ...keepProtected(config),
    });
    pool.addDomain('Domain', { cognitoDomain: { domainPrefix } });
    const base = publicAddress(config);
    const client = pool.addClient('Console', {
      generateSecret: false,
      authFlows: {},
      preventUserExistenceErrors: true,
      refreshTokenValidity: Duration.days(maxDays),
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
  readonly #variables: ReturnType<typeof signInVariables>;
  readonly #secretKeyArn: string;
  readonly #secret: ISecret | undefined;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    // Without the setting there are links and no provider.
    const given = config.signIn ?? signInSchema.parse({});
    const { issuer, clientId = '', clientSecretArn, clientSecretKeyArn = '', cognito, maxDays } = given;
    const named = issuer === undefined ? undefined : { issuer, clientId };
    const provider =
      cognito === undefined ? named : new Pool(this, 'Pool', { ...cognito, maxDays }, config).provider;
    this.offersLinks = given.links;
    this.#variables = signInVariables(given, provider);
    this.#secretKeyArn = clientSecretKeyArn;
    if (clientSecretArn !== undefined)
      this.#secret = Secret.fromSecretCompleteArn(this, 'ClientSecret', clientSecretArn);
  }

  readonly times = () => settings({ SESSION_TIMES: this.#variables.SESSION_TIMES });
  readonly links = () => settings({ SIGN_IN_LINKS: this.#variables.SIGN_IN_LINKS });
  readonly providerName = () => settings({ SIGN_IN_NAME: this.#variables.SIGN_IN_NAME });

  /** Speaks with the provider. */
  readonly provider = () => {
    const { SIGN_IN_ISSUER, SIGN_IN_CLIENT_ID, SIGN_IN } = this.#variables;
    return allOf(
      this.providerName(),
      this.times(),
      this.#readSecret(),
      settings({ SIGN_IN_ISSUER, SIGN_IN_CLIENT_ID, SIGN_IN }),
    );
  };

  /** An existing secret keeps its own KMS key. */
  #readSecret(): Grant<{ readonly SIGN_IN_SECRET_ARN: string }> {
    return {
      variables: { SIGN_IN_SECRET_ARN: this.#secret?.secretArn ?? '' },
      allow: (grantee) => {
        this.#secret?.grantRead(grantee);
        allowKey(this, this.#secretKeyArn, 'readSecret', grantee);
      },
    };
  }
}
