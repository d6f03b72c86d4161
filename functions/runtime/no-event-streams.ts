/** Stands in for the SDK's event streams in bundles: no call of ours has any, and they are 15 KB of each. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

const refuse = (): never => {
  throw new Error('event streams are not in the bundle');
};

export { refuse as EventStreamSerde, refuse as eventStreamSerdeProvider };
