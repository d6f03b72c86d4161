/** Stands in for the SDK's default chain in bundles: Lambda gives credentials in the environment and nowhere else. */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined)
    throw new Error('the environment holds no AWS credentials');
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  };
};

/**
 * Stands in for parts of the SDK in bundles: event streams, which no call of ours has, and a cache of endpoints,
 * which DynamoDB's client makes and never asks.
 */
export class EndpointCache {}

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

const refuse = (): never => {
  throw new Error('event streams are not in the bundle');
};

export { refuse as EventStreamSerde, refuse as eventStreamSerdeProvider };
