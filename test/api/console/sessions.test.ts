import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { FEATURES } from '../../../functions/platform/domain/features.ts';
import { type Answer, call, createVideo, HELD_BACK, readError } from '../../support/http.ts';
import { openSharedService } from '../../support/open-service.ts';
import { FROM_PAGE, signIn } from '../../support/sessions.ts';
import { EVERY_OPTION } from '../../support/video-capabilities.ts';

const service = await openSharedService();
const account = `acme-${randomUUID()}`;
const session = await signIn(service, account);

const withCookie = (headers: Record<string, string>, key = ''): Promise<Answer> =>
  call(service, 'GET', '/v1/models', { key, headers });

describe('the cookie of a session', () => {
  test('is as good as a key, on every endpoint of its account', async () => {
    const body = { model: 'video-3.1-generate-preview', prompt: HELD_BACK, seconds: 4 };
    const made = await session.call('POST', '/v1/videos', body);
    assert.equal(made.status, 200);
    assert.equal((await session.call('GET', `/v1/videos/${made.body.id}`)).status, 200);
    const foreign = await createVideo(service, HELD_BACK);
    assert.equal((await session.call('GET', `/v1/videos/${foreign}`)).status, 404);
  });

  test('comes after a key: a wrong one is refused, a right one decides', async () => {
    const headers = { cookie: session.cookie, ...FROM_PAGE };
    assert.equal((await withCookie(headers, 'wrong')).status, 401);
    const answer = await call(service, 'GET', '/v1/console/session', { headers });
    assert.deepEqual([answer.status, readError(answer).code], [403, 'insufficient_permissions']);
  });

  test('is taken with our origin where the browser says nothing of the site', async () => {
    const { origin } = new URL(service.baseUrl);
    assert.equal((await withCookie({ cookie: session.cookie, origin })).status, 200);
  });

  test('is found among others', async () => {
    const cookie = `theme=dark; ${session.cookie}; mg-session-1=x`;
    assert.equal((await withCookie({ cookie, ...FROM_PAGE })).status, 200);
  });
});

test('the session describes itself and the service', async () => {
  const { status, body } = await session.call('GET', '/v1/console/session');
  const { created_at, expires_at, renew_at, ends_at, ...rest } = body;
  assert.deepEqual(
    [expires_at, renew_at, ends_at].map((time) => Number(time) - Number(created_at)),
    [43_200, 3300, 2_592_000],
  );
  assert.deepEqual(
    [status, rest],
    [
      200,
      {
        id: session.id,
        object: 'console.session',
        project_id: account,
        role: 'admin',
        user: null,
        accounts: [],
        provider: null,
        base_url: service.baseUrl,
        prices: {
          currency: 'USD',
          video_second: { 'video-3.1-generate-preview': '0.40' },
          image: { '1K': '0.07' },
        },
        offers: {
          video: {
            'video-3.1-generate-preview': [EVERY_OPTION],
            'video-3.1-fast-generate-preview': [EVERY_OPTION],
          },
          image: true,
          image_sizes: ['512', '1K', '2K', '4K'],
        },
        video_retention_days: 7,
        features: [...FEATURES],
        stores_images: true,
        image_bytes: 14_700_000,
        sample_generator: false,
        limits: { monthly_budget: null, videos_at_once: null, creates_per_minute: null },
        budget: null,
      },
    ],
  );
});

describe('ending', () => {
  const owner = `owner-${randomUUID()}`;
  const readIds = ({ body }: Answer): string[] =>
    Array.from(Object(body.data), (entry) => `${Object(entry).id} ${Object(entry).current}`);

  test('another session, one’s own and all of them', async () => {
    const [one, two, three] = [
      await signIn(service, owner),
      await signIn(service, owner),
      await signIn(service, owner),
    ];
    assert.deepEqual(
      readIds(await one.call('GET', '/v1/console/sessions')).toSorted(),
      [`${one.id} true`, `${two.id} false`, `${three.id} false`].toSorted(),
    );
    const ended = await one.call('DELETE', `/v1/console/sessions/${two.id}`);
    assert.deepEqual(ended.body, {
      id: two.id,
      object: 'console.session.deleted',
      deleted: true,
      sign_out_url: null,
    });
    assert.equal(ended.headers.get('set-cookie'), null);
    // A function that has not seen the session before refuses it at once.
    assert.equal((await two.call('GET', '/v1/console/session')).status, 401);
    const signedOut = await three.call('DELETE', '/v1/console/sessions/current');
    assert.match(signedOut.headers.get('set-cookie') ?? '', /^mg-session-\d+=; .*Max-Age=0$/);
    const link = String((await one.call('POST', '/v1/console/links')).body.url).split('#')[1];
    assert.equal((await one.call('DELETE', '/v1/console/sessions/all')).body.id, 'all');
    assert.deepEqual(readIds(await one.call('GET', '/v1/console/sessions')), []);
    const late = await call(service, 'POST', '/v1/console/sessions', { key: '', json: { token: link } });
    assert.equal(late.status, 400);
  });
});
