import type { FindAwsIdentity } from './google/aws-signature.ts';
import { type GeminiOptions, geminiDialect } from './google/gemini.ts';
import { googleIdentity } from './google/google-identity.ts';
import { type VertexPlace, vertexDialect } from './google/vertex.ts';
import { type OpenAiOptions, openAiDialect } from './openai/openai.ts';
import { type OpenRouterOptions, openRouterDialect } from './openrouter/openrouter.ts';
import { openStudio, type Studio, type StudioOptions } from './studio.ts';
import { type HostOptions, type SampleGenerator, serveUpstream } from './upstream-host.ts';

export type { SampleGenerator } from './upstream-host.ts';

const startGemini = (options: HostOptions & GeminiOptions, studio: Studio) =>
  serveUpstream(options, studio, geminiDialect(options));

const startOpenRouter = (options: HostOptions & OpenRouterOptions, studio: Studio) =>
  serveUpstream(options, studio, openRouterDialect(options));

const startOpenAi = (options: HostOptions & OpenAiOptions, studio: Studio) =>
  serveUpstream(options, studio, openAiDialect(options));

type VertexOptions = HostOptions &
  VertexPlace & {
    /** The credentials of AWS whose signatures are accepted for federation; none by default. */
    readonly findAwsIdentity?: FindAwsIdentity;
  };

/** Vertex AI, Cloud Storage and the token endpoints have the same URL. */
const startVertex = async (options: VertexOptions, studio: Studio) => {
  const { project, findAwsIdentity = () => undefined } = options;
  const addresses = { own: '', foreign: '' };
  const identity = googleIdentity({ url: () => addresses.own, project, findAwsIdentity });
  const generator = await serveUpstream(options, studio, vertexDialect(options, identity), addresses);
  return { ...generator, identity };
};

export type SampleVertex = Awaited<ReturnType<typeof startVertex>>;

/** Starts one upstream with a studio of its own, which is closed with it. */
const alone =
  <Options, Started extends SampleGenerator>(start: (options: Options, studio: Studio) => Promise<Started>) =>
  async (options: Options & StudioOptions): Promise<Started> => {
    const studio = await openStudio(options);
    const generator = await start(options, studio);
    const close = async () => {
      studio.close();
      await generator.close();
    };
    return { ...generator, close };
  };

/** A local upstream that speaks the Gemini API's protocol and renders real media, marked as samples. */
export const startSampleGenerator = alone(startGemini);
export const startSampleVertex = alone(startVertex);
/** Its base URL is `${url}/api/v1`. */
export const startSampleOpenRouter = alone(startOpenRouter);
export const startSampleOpenAi = alone(startOpenAi);

type Named<Start extends (options: never, studio: Studio) => unknown> = readonly (Parameters<Start>[0] & {
  readonly name: string;
})[];

/** The upstreams of a pool, by the protocol that they speak. */
export type SampleUpstreams = {
  readonly gemini?: Named<typeof startGemini>;
  readonly vertex?: Named<typeof startVertex>;
  readonly openrouter?: Named<typeof startOpenRouter>;
  readonly openai?: Named<typeof startOpenAi>;
};

export type Protocol = keyof SampleUpstreams;

/** Several upstreams that share one studio; the lists are in the order of the options. */
export const startSamplePool = async ({
  gemini = [],
  vertex = [],
  openrouter = [],
  openai = [],
  ...options
}: StudioOptions & SampleUpstreams) => {
  const studio = await openStudio(options);
  const started = {
    gemini: await Promise.all(gemini.map((one) => startGemini(one, studio))),
    vertex: await Promise.all(vertex.map((one) => startVertex(one, studio))),
    openrouter: await Promise.all(openrouter.map((one) => startOpenRouter(one, studio))),
    openai: await Promise.all(openai.map((one) => startOpenAi(one, studio))),
  };
  const close = async () => {
    studio.close();
    await Promise.all(
      Object.values(started)
        .flat()
        .map((one) => one.close()),
    );
  };
  return { ...started, close };
};
