/** Replaces the SDK's default credential chain in bundles: Lambda provides credentials in the environment only. */
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

/** Replaces unused parts of the SDK in bundles: event streams, and an endpoint cache that DynamoDB's client never reads. */
export class EndpointCache {}

export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

const refuse = (): never => {
  throw new Error('event streams are not in the bundle');
};

export { refuse as EventStreamSerde, refuse as eventStreamSerdeProvider };
