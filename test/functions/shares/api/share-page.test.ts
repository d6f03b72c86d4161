import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { MISSING_PAGE, pageHeaders, sharePage } from '../../../../functions/shares/api/share-page.ts';
import type { OpenedShare } from '../../../../functions/shares/domain/share.ts';

const VIDEO: OpenedShare = {
  account: 'acme',
  kind: 'video',
  content: { key: 'videos/1.mp4', contentType: 'video/mp4', fileName: 'video.mp4' },
  size: { width: 1280, height: 720 },
  prompt: undefined,
  expiresAt: Date.UTC(2026, 10, 17, 12, 5),
};

describe('the page of a share', () => {
  test('has a player with native controls, a download and its end', () => {
    const html = sharePage(VIDEO, '/prod', 'token');
    assert.match(
      html,
      /<video class="player" src="\/prod\/s\/token\/content" [^>]*controls[^>]* width="1280" height="720">/,
    );
    assert.match(html, /<a class="button" href="\/prod\/s\/token\/content\?download=1">Download<\/a>/);
    assert.match(html, /<time datetime="2026-11-17T12:05:00\.000Z">17 November 2026 at 12:05 UTC<\/time>/);
    assert.doesNotMatch(html, /acme|videos\/1|class="prompt"/);
  });

  test('has an image that the prompt describes, as text', () => {
    const html = sharePage(
      { ...VIDEO, kind: 'image', size: undefined, prompt: '<i>"a" & \'b\'' },
      '',
      'token',
    );
    assert.match(html, /<img src="\/s\/token\/content" alt="&lt;i&gt;&quot;a&quot; &amp; &#39;b&#39;">/);
    assert.match(html, /<p>&lt;i&gt;&quot;a&quot; &amp; &#39;b&#39;<\/p>/);
  });

  test('ignores a prefix that is not a path', () => {
    assert.match(sharePage(VIDEO, '/"><script>', 'token'), /<video class="player" src="\/s\/token\/content"/);
  });
});

test('the policy of the page allows its own style, and media of one host only', () => {
  const policy = pageHeaders('media.test', true)['content-security-policy'] ?? '';
  for (const html of [sharePage(VIDEO, '', 'token'), MISSING_PAGE]) {
    const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(policy.includes(`style-src 'sha256-${hash}'`));
    assert.doesNotMatch(html, /<script|style="/);
  }
  assert.match(policy, /^default-src 'none'; script-src 'none'; /);
  assert.match(policy, /; img-src 'self' data: media\.test; media-src 'self' media\.test; /);
  const transport = [true, false].map((secure) => 'strict-transport-security' in pageHeaders('x', secure));
  assert.deepEqual(transport, [true, false]);
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
