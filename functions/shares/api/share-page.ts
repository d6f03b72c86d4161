import { createHash } from 'node:crypto';
import type { OpenedShare } from '../domain/share.ts';

/** The page behind a share link: no script, no cookie, nothing from elsewhere, and nothing about the account. */

/** The colors of the console. */
const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#f7f7f5,#101012);--surface:light-dark(#fff,#18181b);--line:light-dark(#e3e3de,#2b2b31);--text:light-dark(#1b1b18,#ededef);--quiet:light-dark(#5c5c57,#a4a4ad);--accent:light-dark(#3b5bdb,#8ea6ff);--accent-strong:light-dark(#2f4bbf,#a9bbff);--on-accent:light-dark(#fff,#10142b)}
*{box-sizing:border-box}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text)}
main{inline-size:min(64rem,100%);margin-inline:auto;padding:clamp(1rem,4vw,2.5rem)}
header{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;justify-content:space-between;margin-block-end:1.25rem}
h1{margin:0;font-size:1.5rem;line-height:1.2;letter-spacing:-.02em}
h2{margin:0 0 .25rem;font-size:.8125rem;font-weight:600;color:var(--quiet)}
p{margin:0}
.quiet{font-size:.875rem;color:var(--quiet)}
.stage{overflow:hidden;border:1px solid var(--line);border-radius:.875rem;background:#000}
.stage>*{display:block;inline-size:100%;block-size:auto;max-block-size:min(75vh,48rem);object-fit:contain}
.button{display:inline-flex;align-items:center;min-block-size:2.75rem;padding:0 1.25rem;border-radius:.5rem;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
.button:hover{background:var(--accent-strong)}
.button:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.prompt{margin-block-start:1.25rem;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.prompt p{white-space:pre-wrap;overflow-wrap:anywhere}
.message{inline-size:min(34rem,100%);margin:18vh auto 0;padding:2rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.message p{margin-block-start:.75rem;color:var(--quiet)}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The icon of the console. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%233b5bdb'/%3E%3Cpath d='M12 9.6v12.8c0 .8.9 1.3 1.6.9l10.2-6.4c.6-.4.6-1.4 0-1.8L13.6 8.7c-.7-.4-1.6.1-1.6.9Z' fill='%23fff'/%3E%3C/svg%3E";

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);

const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const TITLES = { video: 'Shared video', image: 'Shared image' } as const;

/** A visitor came to see the video, so it is loaded at once: the signed URL behind it ends after minutes. */
const media = ({ kind, size, prompt }: OpenedShare, content: string): string => {
  const dimensions = size === undefined ? '' : ` width="${size.width}" height="${size.height}"`;
  return kind === 'video'
    ? `<video class="player" src="${content}" aria-label="${TITLES.video}" controls playsinline preload="auto"${dimensions}></video>`
    : `<img src="${content}" alt="${escapeHtml(prompt ?? TITLES.image)}"${dimensions}>`;
};

const PREFIX = /^(?:\/[\w.-]+)*$/;

/** `prefix` is the path of the API stage, `/prod` or nothing. */
export const sharePage = (share: OpenedShare, prefix: string, token: string): string => {
  const content = `${PREFIX.test(prefix) ? prefix : ''}/s/${token}/content`;
  const until = new Date(share.expiresAt);
  const title = TITLES[share.kind];
  const prompt =
    share.prompt === undefined
      ? ''
      : `\n<section class="prompt">\n<h2>Prompt</h2>\n<p>${escapeHtml(share.prompt)}</p>\n</section>`;
  return page(
    title,
    `<header>
<div>
<h1>${title}</h1>
<p class="quiet">This link works until <time datetime="${until.toISOString()}">${WHEN.format(until)} UTC</time>.</p>
</div>
<a class="button" href="${content}?download=1">Download</a>
</header>
<div class="stage">${media(share, content)}</div>${prompt}`,
  );
};

/** The same for every link that does not work, so that it reveals nothing. */
export const MISSING_PAGE = page(
  'Link not available',
  `<div class="message">
<h1>This link does not work</h1>
<p>It may have expired or been revoked, or a part of the address is missing. Ask the person who sent it for a new link.</p>
</div>`,
);

/** A host without a scheme allows the page's own scheme, or https. */
const contentPolicy = (mediaHost: string): string =>
  [
    "default-src 'none'",
    "script-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `img-src 'self' data: ${mediaHost}`,
    `media-src 'self' ${mediaHost}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** For the page and for the redirect to its content. */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

export const pageHeaders = (mediaHost: string, secure: boolean): Readonly<Record<string, string>> => ({
  ...PRIVATE_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentPolicy(mediaHost),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});
