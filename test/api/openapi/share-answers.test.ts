import { test } from 'node:test';
import { fitting } from '../../functions/openapi/support/requests.ts';
import { JPEG } from '../../support/images.ts';
import { putImage } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';

const service = await openSharedService();
const fits = fitting(service);

const ALL = '/v1/shares';
const ONE = `${ALL}/{share_id}`;

test('share links fit the document, from creation to revocation', async () => {
  const image = { prompt: 'a harbour', createdAt: Date.now(), bytes: JPEG };
  const file_id = await putImage(service, service.account, image);
  const create = (json: object, status = 200) => fits(status, { method: 'POST', path: ALL, json });
  const { id } = JSON.parse((await create({ file_id, show_prompt: true })).text);
  await create({}, 400);
  await create({ file_id: 'file_1' }, 404);
  await fits(200, { method: 'GET', path: ALL });
  await fits(400, { method: 'GET', path: ALL, at: `${ALL}?after=x` });
  await fits(401, { method: 'GET', path: ALL }, 'x');
  const revoke = { method: 'DELETE', path: ONE, at: `${ALL}/${id}` };
  await fits(200, revoke);
  await fits(404, revoke);
});
