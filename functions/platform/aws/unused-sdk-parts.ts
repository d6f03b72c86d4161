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
