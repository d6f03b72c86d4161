import { type Credential, upstreamCredentials } from '../../../../functions/upstream/adapters/credentials.ts';
import { geminiClient, geminiImages } from '../../../../functions/upstream/kinds/gemini/adapter.ts';

export const credentialFrom = (readSecret: () => Promise<string>): Credential =>
  upstreamCredentials(readSecret, ['upstream'])('upstream');

type Sent = { readonly url: string; readonly init: RequestInit };

/** A client that receives these answers in turn, and the requests that it sent; an Error is a broken connection. */
export const answeringClient = (
  answers: readonly (Response | Error)[],
  baseUrl = 'https://upstream.test/base/',
) => {
  const sent: Sent[] = [];
  const answering: typeof fetch = async (url, init = {}) => {
    sent.push({ url: String(url), init });
    const answer = answers[sent.length - 1];
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  const modelName = (model: string) => (model === 'video-3.1-generate-preview' ? 'their-video' : model);
  const credential = credentialFrom(async () => 'secret');
  const options = { baseUrl, keyHeader: 'x-key', credential, modelName, fetch: answering };
  return { client: { ...geminiClient(options), images: geminiImages(options) }, sent };
};

export const readBody = async ({ init }: Sent): Promise<unknown> =>
  JSON.parse(await new Response(init.body, {}).text());
