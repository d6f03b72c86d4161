import { createHash } from 'node:crypto';
import { type Exchange, parseJson, pause, readBody, sendJson } from './exchange.ts';
import { type Generator, type Handler, injectFault } from './generator.ts';
import { imageAnswer } from './image-handlers.ts';
import { imageSpec } from './image-spec.ts';
import { requireModel } from './models.ts';

const answers = async (exchange: Exchange, generator: Generator, method: string) => {
  const model = requireModel(exchange.groups.model, 'image', method);
  const body = await readBody(exchange.request);
  const spec = await imageSpec(model, parseJson(body), generator.pictures);
  const subject = createHash('sha256').update(model).update(body).digest('hex');
  await pause(exchange, spec.directives.slowStartSeconds);
  await injectFault(exchange, generator, { place: 'create', subject, directives: spec.directives });
  const [documents] = await Promise.all([
    imageAnswer(spec, generator.renderCache, method === 'streamGenerateContent'),
    pause(exchange, spec.directives.delaySeconds),
  ]);
  return documents;
};

export const generateContent: Handler = async (exchange, generator) => {
  const [document] = await answers(exchange, generator, 'generateContent');
  sendJson(exchange.response, document);
};

/** Events if the client asked for them; else, as the upstream does, one list. */
export const streamGenerateContent: Handler = async (exchange, generator) => {
  const documents = await answers(exchange, generator, 'streamGenerateContent');
  const { request, response } = exchange;
  const { searchParams } = new URL(request.url ?? '/', 'http://sample');
  if (searchParams.get('alt') !== 'sse') return sendJson(response, documents);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const document of documents) response.write(`data: ${JSON.stringify(document)}\r\n\r\n`);
  response.end();
};
