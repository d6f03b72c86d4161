import { admitRequest, type Exchange } from './exchange.ts';
import { type VideoRequest, type VideoSpec, videoSpec } from './media-spec.ts';
import type { Operation } from './operations.ts';

type Received = { readonly model: string; readonly request: VideoRequest; readonly digest: string };

export const admitVideo = async (
  exchange: Exchange,
  { model, request, digest }: Received,
): Promise<VideoSpec> => {
  const spec = await videoSpec(model, request, exchange.generator);
  await admitRequest(exchange, spec, digest);
  return spec;
};

export const startVideo = async (exchange: Exchange, received: Received): Promise<Operation> =>
  exchange.generator.operations.start(await admitVideo(exchange, received));
