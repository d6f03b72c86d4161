import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { MISSING_PAGE, pageHeaders, sharePage } from '../../../../functions/shares/api/share-page.ts';
import type { OpenedCollection, OpenedItem, OpenedShare } from '../../../../functions/shares/domain/share.ts';

const expiresAt = Date.UTC(2026, 10, 17, 12, 5);
const ITEM: OpenedItem = {
  kind: 'video',
  content: { key: 'videos/1.mp4', contentType: 'video/mp4', fileName: 'video.mp4' },
  size: { width: 1280, height: 720 },
  prompt: undefined,
  expiresAt,
};
const VIDEO: OpenedShare = { account: 'acme', expiresAt, opened: ITEM };
const PLACE = { prefix: '', token: 'token' };

describe('the page of a share', () => {
  test('has a player with native controls, a download and its end', () => {
    const html = sharePage(VIDEO, { prefix: '/eu/prod', token: 'token' });
    assert.match(
      html,
      /<video class="player" src="\/eu\/prod\/s\/token\/content" [^>]*controls[^>]* width="1280" height="720">/,
    );
    assert.match(html, /<a class="button" href="\/eu\/prod\/s\/token\/content\?download=1">Download<\/a>/);
    assert.match(html, /<time datetime="2026-11-17T12:05:00\.000Z">17 November 2026 at 12:05 UTC<\/time>/);
    assert.doesNotMatch(html, /acme|videos\/1|class="prompt"/);
  });

  test('has an image that the prompt describes, as text', () => {
    const opened = { ...ITEM, kind: 'image', size: undefined, prompt: '<i>"a" & \'b\'' } as const;
    const html = sharePage({ ...VIDEO, opened }, PLACE);
    assert.match(html, /<img src="\/s\/token\/content" alt="&lt;i&gt;&quot;a&quot; &amp; &#39;b&#39;">/);
    assert.match(html, /<p>&lt;i&gt;&quot;a&quot; &amp; &#39;b&#39;<\/p>/);
  });

  test('ignores a prefix that is not a path', () => {
    assert.match(
      sharePage(VIDEO, { prefix: '/"><script>', token: 'token' }),
      /<video class="player" src="\/s\/token\/content"/,
    );
  });
});

describe('the page of a collection', () => {
  const part = (position: number, kind: 'video' | 'image' = 'video') => ({
    ...ITEM,
    kind,
    name: `name${position}`,
    position,
  });
  const parts = [part(25), part(27, 'image'), part(28)];
  const COLLECTION: OpenedCollection = {
    kind: 'collection',
    title: '<b>Boats</b>',
    total: 60,
    shown: parts[1],
    parts,
    before: 'name24',
    after: 'name49',
  };
  const posters = ['https://media.test/25?a=1&b=2', 'https://media.test/27', 'https://media.test/28'];
  const open = (change: Partial<OpenedCollection> = {}) =>
    sharePage({ ...VIDEO, opened: { ...COLLECTION, ...change } }, { ...PLACE, posters });
  const steps = (html: string) =>
    [...html.matchAll(/rel="(prev|next)" href="\?item=(\w+)">\1/gi)].map(([, rel, name]) => `${rel} ${name}`);

  test('shows one item, and the others in their order', () => {
    const html = open();
    assert.match(html, /<title>&lt;b&gt;Boats&lt;\/b&gt;<\/title>/);
    assert.match(html, /<h1 dir="auto">&lt;b&gt;Boats&lt;\/b&gt;<\/h1>/);
    assert.match(html, /<img src="\/s\/token\/content\?item=name27" alt="Shared image"/);
    assert.match(html, /href="\/s\/token\/content\?item=name27&amp;download=1">Download</);
    assert.match(html, /27 of 60/);
    assert.deepEqual(
      [...html.matchAll(/<li><a href="\?item=(\w+)"( aria-current="true")?>.*?<span>([^<]*)</g)].map(
        ([, name, current, label]) => [name, current !== undefined, label],
      ),
      [
        ['name25', false, 'Video 25'],
        ['name27', true, 'Image 27'],
        ['name28', false, 'Video 28'],
      ],
    );
    assert.match(html, /<img src="https:\/\/media\.test\/27" alt="" loading="lazy">/);
    assert.match(html, /<video src="https:\/\/media\.test\/25\?a=1&amp;b=2#t=0\.1" preload="metadata"/);
    assert.doesNotMatch(html, /acme|videos\/1|class="prompt"/);
    assert.match(open({ shown: { ...part(27), prompt: '<b>' } }), /<h2>Prompt<\/h2>\n<p>&lt;b&gt;<\/p>/);
  });

  test('leads from item to item, across its pages', () => {
    assert.deepEqual(steps(open()), ['prev name25', 'next name28']);
    assert.deepEqual(steps(open({ shown: parts[0] })), ['prev name24', 'next name27']);
    assert.deepEqual(steps(open({ shown: parts[2] })), ['prev name27', 'next name49']);
    assert.deepEqual(steps(open({ shown: parts[2], after: undefined })), ['prev name27']);
    // A cover from another page leads to the first item.
    assert.deepEqual(steps(open({ shown: part(40) })), ['next name25']);
  });

  test('says that it is empty', () => {
    const html = open({ shown: undefined, parts: [], after: undefined });
    assert.match(html, /There is nothing in this collection\./);
    assert.doesNotMatch(html, /Download|<ul/);
    const part = open({ shown: undefined, parts: [] });
    assert.match(part, /There is nothing in this part of the collection\./);
    assert.deepEqual(steps(part), ['next name49']);
  });
});

test('the policy of the page allows its own style, and media of one host only', () => {
  const policy = pageHeaders('media.test', true)['content-security-policy'] ?? '';
  for (const html of [sharePage(VIDEO, PLACE), MISSING_PAGE]) {
    const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(policy.includes(`style-src 'sha256-${hash}'`));
    assert.doesNotMatch(html, /<script|style="/);
  }
});

test('a page has no script, and is neither kept, indexed nor embedded', () => {
  const { 'content-security-policy': policy = '', ...headers } = pageHeaders('media.example.com', true);
  assert.deepEqual(headers, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
  });
  assert.ok(!('strict-transport-security' in pageHeaders('media.example.com', false)));
  assert.deepEqual(
    policy.split('; ').filter((rule) => !rule.startsWith('style-src')),
    [
      "default-src 'none'",
      "script-src 'none'",
      "img-src 'self' data: media.example.com",
      "media-src 'self' media.example.com",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ],
  );
});
