import { createHash } from 'node:crypto';
import { parseJson, pause, readBody, sendJson } from './exchange.ts';
import { type Handler, meetFaults } from './generator.ts';
import { requireModel } from './models.ts';
import { operationName } from './operations.ts';
import { orderVideo } from './video-order.ts';

export const createVideo: Handler = async (exchange, generator) => {
  const model = requireModel(exchange.groups.model, 'video', 'predictLongRunning');
  const body = await readBody(exchange.request);
  const order = await orderVideo(model, parseJson(body), generator.pictures);
  const subject = createHash('sha256').update(model).update(body).digest('hex');
  await pause(exchange, order.wishes.slowStartSeconds);
  await meetFaults(exchange, generator, { place: 'create', subject, wishes: order.wishes });
  sendJson(exchange.response, { name: operationName(await generator.operations.start(order)) });
};
