import { createHash } from 'node:crypto';
import type { OpenedCollection, OpenedItem, OpenedPart, OpenedShare } from '../domain/share.ts';

/**
 * The page behind a share link: no script, no cookie, nothing from elsewhere, and nothing about the account but the name of a
 * shared collection.
 */

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
.steps{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin-block-start:.75rem}
.steps .quiet{margin-inline-end:auto}
.step{padding-block:.625rem;color:var(--accent);font-weight:600}
.parts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:.75rem;margin:1.25rem 0 0;padding:0;list-style:none}
.parts a{display:block;overflow:hidden;border:2px solid var(--line);border-radius:.625rem;background:var(--surface);color:var(--quiet);font-size:.8125rem;text-decoration:none}
.parts a:hover{border-color:var(--quiet)}
.parts a[aria-current]{border-color:var(--accent);color:var(--text)}
.parts a:focus-visible,.step:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.parts img,.parts video{display:block;inline-size:100%;aspect-ratio:16/9;background:#000;object-fit:contain;pointer-events:none}
.parts span{display:block;padding:.375rem .625rem}
.message{inline-size:min(34rem,100%);margin:18vh auto 0;padding:2rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.message p{margin-block-start:.75rem;color:var(--quiet)}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

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
const media = ({ kind, size, prompt }: OpenedItem, content: string): string => {
  const dimensions = size === undefined ? '' : ` width="${size.width}" height="${size.height}"`;
  return kind === 'video'
    ? `<video class="player" src="${content}" aria-label="${TITLES.video}" controls playsinline preload="auto"${dimensions}></video>`
    : `<img src="${content}" alt="${escapeHtml(prompt ?? TITLES.image)}"${dimensions}>`;
};

const promptSection = ({ prompt }: OpenedItem): string =>
  prompt === undefined
    ? ''
    : `\n<section class="prompt">\n<h2>Prompt</h2>\n<p>${escapeHtml(prompt)}</p>\n</section>`;

const header = (title: string, expiresAt: number, download: string): string => {
  const until = new Date(expiresAt);
  return `<header>
<div>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="quiet">This link works until <time datetime="${until.toISOString()}">${WHEN.format(until)} UTC</time>.</p>
</div>
${download}</header>`;
};

const downloadLink = (content: string): string => `<a class="button" href="${content}">Download</a>\n`;

/** A small picture of each item, which opens it. The first frame of a video is its picture. */
const poster = ({ kind, name, position }: OpenedPart, url: string, isShown: boolean): string => {
  const picture =
    kind === 'video'
      ? `<video src="${escapeHtml(url)}#t=0.1" preload="metadata" muted playsinline tabindex="-1" aria-hidden="true"></video>`
      : `<img src="${escapeHtml(url)}" alt="" loading="lazy">`;
  const label = `${kind === 'video' ? 'Video' : 'Image'} ${position}`;
  return `<li><a href="?item=${name}"${isShown ? ' aria-current="true"' : ''}>${picture}<span>${label}</span></a></li>`;
};

const step = (rel: 'prev' | 'next', name: string | undefined): string =>
  name === undefined
    ? ''
    : `<a class="step" rel="${rel}" href="?item=${name}">${rel === 'prev' ? 'Previous' : 'Next'}</a>\n`;

const collectionBody = (
  { title, total, shown, parts, before, after }: OpenedCollection,
  expiresAt: number,
  content: string,
  posters: readonly string[],
): string => {
  if (shown === undefined)
    return `${header(title, expiresAt, '')}
<p class="prompt">There is nothing in this ${after === undefined ? '' : 'part of the '}collection.</p>
${step('next', after)}`;
  const at = parts.findIndex(({ name }) => name === shown.name);
  const item = `item=${shown.name}`;
  return `${header(title, expiresAt, downloadLink(`${content}?${item}&amp;download=1`))}
<div class="stage">${media(shown, `${content}?${item}`)}</div>
<nav class="steps" aria-label="Items">
<span class="quiet">${shown.position} of ${total}</span>
${step('prev', at < 0 ? undefined : (parts[at - 1]?.name ?? before))}${step('next', at < 0 ? parts[0]?.name : (parts[at + 1]?.name ?? after))}</nav>${promptSection(shown)}
<ul class="parts">
${parts.map((part, index) => poster(part, posters[index] ?? '', index === at)).join('\n')}
</ul>`;
};

const PREFIX = /^(?:\/[\w.-]+)*$/;

type PageTerms = {
  /** The path of the API stage, `/prod` or nothing. */
  readonly prefix: string;
  readonly token: string;
  /** The signed URLs of the items of a collection, in their order. */
  readonly posters?: readonly string[];
};

export const sharePage = (
  { opened, expiresAt }: OpenedShare,
  { prefix, token, posters = [] }: PageTerms,
): string => {
  const content = `${PREFIX.test(prefix) ? prefix : ''}/s/${token}/content`;
  if (opened.kind === 'collection')
    return page(escapeHtml(opened.title), collectionBody(opened, expiresAt, content, posters));
  const title = TITLES[opened.kind];
  return page(
    title,
    `${header(title, expiresAt, downloadLink(`${content}?download=1`))}
<div class="stage">${media(opened, content)}</div>${promptSection(opened)}`,
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
