import { createHash } from 'node:crypto';
import { parseJson, pause, readBody, sendJson } from './exchange.ts';
import { type Handler, injectFault } from './generator.ts';
import { requireModel } from './models.ts';
import { operationName } from './operations.ts';
import { videoSpec } from './video-spec.ts';

export const createVideo: Handler = async (exchange, generator) => {
  const model = requireModel(exchange.groups.model, 'video', 'predictLongRunning');
  const body = await readBody(exchange.request);
  const spec = await videoSpec(model, parseJson(body), generator.pictures);
  const subject = createHash('sha256').update(model).update(body).digest('hex');
  await pause(exchange, spec.directives.slowStartSeconds);
  await injectFault(exchange, generator, { place: 'create', subject, directives: spec.directives });
  sendJson(exchange.response, { name: operationName(await generator.operations.start(spec)) });
};
