import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { issueApiKey } from '../../../lib/operator/administration.ts';
import { recordCharges, seededCharges, total } from '../../support/charges.ts';
import { call } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { FROM_PAGE, signIn } from '../../support/sessions.ts';

const service = await openSharedService();
const store = { clientConfig: service.operator, outputs: service.outputs };
const account = `charged-${randomUUID()}`;
const key = await issueApiKey(store, { account, name: 'billing', kind: 'admin' });
const START = Date.UTC(2024, 1, 28);
const made = seededCharges(account, 250, [START], seededRandom(29));
// Many at one moment, so that a page ends among them.
const charges = made.map((charge, position) => (position < 30 ? { ...charge, time: START + 5 } : charge));
before(() => recordCharges(service, charges));

const get = (query: string) => call(service, 'GET', `/v1/organization/charges${query}`, { key });
const file = (query: string, headers: Record<string, string>) =>
  fetch(`${service.baseUrl}/v1/organization/charges${query}`, { headers });
const csv = { authorization: `Bearer ${key}`, accept: 'text/csv' };

type Row = { id: string; created_at: number; amount: { decimal: string } | null };

const readPages = async (query: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = ''; ; ) {
    const { status, body } = await get(`?${query}${page}`);
    assert.equal(status, 200);
    rows.push(...Object(body.data));
    assert.equal(body.has_more, body.next_page !== null);
    if (body.next_page === null) return rows;
    page = `&page=${body.next_page}`;
  }
};

test('all charges are listed once, the newest first or last', async () => {
  const expected = charges.toSorted((one, other) => one.time - other.time);
  for (const [order, limit] of [
    ['asc', 23],
    ['desc', 100],
  ] as const) {
    const rows = await readPages(`limit=${limit}&order=${order}`);
    assert.equal(new Set(rows.map(({ id }) => id)).size, 250);
    assert.equal(rows.length, 250);
    const times = expected.map(({ time }) => Math.floor(time / 1000));
    assert.deepEqual(
      rows.map(({ created_at }) => created_at),
      order === 'asc' ? times : times.toReversed(),
    );
    assert.equal(
      total(rows.map(({ amount }) => amount?.decimal)),
      total(charges.map(({ amount }) => amount)),
    );
  }
});

test('a file has a line of names and a line a charge, with ends as RFC 4180 has them', async () => {
  const response = await file('?order=asc', csv);
  assert.deepEqual(
    ['content-type', 'content-disposition', 'cache-control'].map((name) => response.headers.get(name)),
    ['text/csv; charset=utf-8', 'attachment; filename="charges.csv"', 'no-store'],
  );
  const text = await response.text();
  assert.ok(text.endsWith('\r\n'));
  const [names, ...lines] = text.trimEnd().split('\r\n');
  assert.equal(
    names,
    'time,id,kind,task_id,file_id,api_key_id,api_key_name,user_id,user_name,upstream,model,size,quantity,quantity_unit,unit_price,amount,currency',
  );
  const expected = charges.map((charge) =>
    [
      new Date(charge.time).toISOString(),
      charge.id,
      charge.kind,
      charge.kind === 'video' ? charge.taskId : '',
      charge.kind === 'image' ? charge.fileId : '',
      charge.keyId,
      charge.keyId.startsWith('sess_') ? 'Console' : '',
      charge.personId,
      charge.personId === undefined ? '' : 'Removed person',
      charge.upstream,
      charge.model,
      charge.kind === 'video' ? charge.resolution : charge.size,
      charge.kind === 'video' ? charge.seconds : charge.images,
      charge.kind === 'video' ? 'duration_seconds' : 'images',
      charge.unitPrice,
      charge.amount,
      charge.currency,
    ].join(','),
  );
  assert.deepEqual(lines.toSorted(), expected.toSorted());
});

test('the kind of answer follows Accept', async () => {
  const typeFor = async (accept: string) => (await file('', { ...csv, accept })).headers.get('content-type');
  assert.equal(await typeFor('text/csv;q=0.5, application/json'), 'application/json');
  assert.equal(await typeFor('application/json;q=0.5, TEXT/CSV'), 'text/csv; charset=utf-8');
  const head = await fetch(`${service.baseUrl}/v1/organization/charges`, { method: 'HEAD', headers: csv });
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('another account sees none of them, by key or by page', async () => {
  const other = await signIn(service, `other-${randomUUID()}`);
  const { body } = await get('?limit=5');
  for (const query of ['', `?page=${body.next_page}`]) {
    const answer = await other.call('GET', `/v1/organization/charges${query}`);
    assert.deepEqual([answer.status, answer.body.data], [200, []]);
  }
  const response = await file('', { ...FROM_PAGE, cookie: other.cookie, accept: 'text/csv' });
  assert.equal((await response.text()).split('\r\n').length, 2);
});
