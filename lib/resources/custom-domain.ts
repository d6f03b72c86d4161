import {
  type DomainNameOptions,
  type RestApiBase,
  SecurityPolicy,
  type SpecRestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGateway } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';

/** The name under which clients reach the API, where one is configured. */
export class CustomDomain extends Construct {
  readonly #config: Config;
  readonly #zone: IHostedZone | undefined;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    this.#config = config;
    const { hostedZoneId, hostedZoneName: zoneName } = config;
    if (hostedZoneId !== '')
      this.#zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName });
  }

  /** With a name of its own, the API answers under no other. */
  options(): Pick<SpecRestApiProps, 'domainName' | 'disableExecuteApiEndpoint'> {
    return this.#config.domainName === ''
      ? {}
      : { domainName: this.#domain(), disableExecuteApiEndpoint: true };
  }

  pointAt(rest: RestApiBase): void {
    if (this.#zone === undefined) return;
    new ARecord(this, 'Alias', {
      zone: this.#zone,
      recordName: `${this.#config.domainName}.`,
      target: RecordTarget.fromAlias(new ApiGateway(rest)),
    });
  }

  #domain(): DomainNameOptions {
    const { domainName, certificateArn } = this.#config;
    const certificate =
      certificateArn === ''
        ? new Certificate(this, 'Certificate', {
            domainName,
            validation: CertificateValidation.fromDns(this.#zone),
          })
        : Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    return { domainName, securityPolicy: SecurityPolicy.TLS_1_2, certificate };
  }
}

/** What clients are told to use: what was configured, else the API's own name, else what the request used. */
export const publicAddress = ({ publicBaseUrl, domainName }: Config): string =>
  publicBaseUrl === '' && domainName !== '' ? `https://${domainName}` : publicBaseUrl;
