import { endpoint } from './authentication/endpoint.ts';
import { dynamoClient } from './aws/aws-clients.ts';
import { DomainError } from './domain/errors.ts';
import { ENVIRONMENTS, readEnvironment } from './runtime/environment.ts';

const { KEY_TABLE } = readEnvironment(ENVIRONMENTS['not-offered']);

/** Operations that clients of this API know and this service does not have: said clearly, not as a 404. */
export const handler = endpoint(dynamoClient(), KEY_TABLE, async () => {
  throw new DomainError(
    'not_offered',
    'Remixing, editing and extending videos and characters are not supported: create a new video instead.',
  );
});
