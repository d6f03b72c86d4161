import { type Answer, expectAnswer, expectStatus, expectTrue } from '../answers.ts';
import type { Api } from '../api.ts';
import type { Check } from '../run-checks.ts';

const contentType = ({ headers }: Answer): string => headers.get('content-type') ?? 'none';

const expectType = (answer: Answer, type: string): void =>
  expectTrue(contentType(answer).startsWith(type), `content type ${type}`, contentType(answer), answer);

/** URLs of the files that the page loads. */
const ASSET = /(?:src|href)="([^"]*\/console\/assets\/[^"]+)"/g;

const expectAssets = async (api: Api, page: Answer): Promise<void> => {
  const paths = Array.from(page.bytes.toString().matchAll(ASSET), ([, path = '']) => path);
  expectTrue(paths.length > 0, 'a page that loads files of the console', 'none', page);
  for (const path of paths) {
    const asset = await expectAnswer(200, api.open(new URL(path, api.baseUrl).href));
    expectTrue(asset.bytes.length > 0, `the bytes of ${path}`, 'an empty body', asset);
    const cache = asset.headers.get('cache-control') ?? 'none';
    expectTrue(cache.includes('immutable'), 'Cache-Control immutable', cache, asset);
  }
};

/** Streamed responses without a body can lose their status and headers. */
const page: Check = {
  name: 'serves the console and its files',
  run: async ({ api }) => {
    const root = await expectAnswer(302, api.anonymous('GET', '/'));
    const location = root.headers.get('location') ?? 'none';
    expectTrue(location.endsWith('/console/'), 'a Location that ends in /console/', location, root);
    for (const path of ['/console', '/console/']) {
      const answer = await expectAnswer(200, api.anonymous('GET', path));
      expectType(answer, 'text/html');
      await expectAssets(api, answer);
    }
  },
};

const HEADS = [
  ['/', 302],
  ['/console', 200],
  ['/console/assets/there-is-no-such-file.js', 404],
  ['/openapi.json', 200],
  ['/v1/models', 200],
  ['/v1/videos/task_there-is-none', 404],
] as const;

const heads: Check = {
  name: 'answers HEAD like GET, without a body',
  run: async ({ api }) => {
    for (const [path, status] of HEADS) {
      const [get, head] = [await api.call('GET', path), await api.call('HEAD', path)];
      expectStatus(get, status);
      expectStatus(head, status);
      expectType(head, contentType(get));
      for (const name of ['location', 'cache-control']) {
        const [expected, seen] = [get.headers.get(name) ?? 'none', head.headers.get(name) ?? 'none'];
        expectTrue(seen === expected, `${name} ${expected} for HEAD ${path}`, seen, head);
      }
      expectTrue(head.requestId !== 'none', `x-request-id for HEAD ${path}`, 'none', head);
    }
  },
};

export const consoleChecks: readonly Check[] = [page, heads];
