import { secretReader } from '../platform/aws/secret.ts';
import { readEnvironment, text } from '../platform/runtime/environment.ts';
import { jsonLogger } from '../platform/runtime/logger.ts';
import { lambdaSigner } from '../upstream/adapters/aws-subject-token.ts';
import { upstreamCredentials } from '../upstream/adapters/credentials.ts';
import { probeUpstream } from '../upstream/clients.ts';
import { UpstreamError } from '../upstream/domain/faults.ts';
import { credentialName, type Upstream } from '../upstream/domain/upstreams.ts';
import { OFFER } from '../upstream/settings.ts';

export const ENVIRONMENT = { ...OFFER, UPSTREAM_SECRET_ARN: text };
const { UPSTREAMS, UPSTREAM_SECRET_ARN } = readEnvironment(ENVIRONMENT);
const logger = jsonLogger();
const credentialFor = upstreamCredentials(secretReader(UPSTREAM_SECRET_ARN), UPSTREAMS.map(credentialName));
const TIMEOUT_MS = 20_000;

type Counts = { readonly models: number; readonly problems: number };

/** Looks up the models of an upstream and logs those that it no longer has; alarms count these events. */
const checkUpstream = async (upstream: Upstream): Promise<Counts> => {
  const { name } = upstream;
  try {
    const probed = await probeUpstream(
      upstream,
      credentialFor(credentialName(upstream)),
      lambdaSigner(),
      TIMEOUT_MS,
    );
    const missing = probed.filter(({ result }) => result === 'missing');
    for (const { model } of missing)
      logger.error('upstream model retired', undefined, {
        upstream: name,
        model,
        replacement: undefined,
        httpStatus: undefined,
      });
    return { models: probed.length, problems: missing.length };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { fault, httpStatus } = error;
    // An upstream that cannot be reached now has its own alarm while it is used.
    if (fault === 'operator')
      logger.error('upstream needs the operator', error, { upstream: name, httpStatus });
    else
      logger.info('upstream call failed', {
        upstream: name,
        call: 'probe',
        fault,
        httpStatus,
        milliseconds: 0,
      });
    return { models: 0, problems: 1 };
  }
};

/** Runs every day, so that the end of a model is noticed before its next request. */
export const handler = async (): Promise<void> => {
  const counts = await Promise.all(UPSTREAMS.map(checkUpstream));
  logger.info('upstreams checked', {
    models: counts.reduce((sum, { models }) => sum + models, 0),
    problems: counts.reduce((sum, { problems }) => sum + problems, 0),
  });
};
