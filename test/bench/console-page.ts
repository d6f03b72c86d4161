import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';

const KILOBYTE = 1000;

const gzipped = (bytes: Uint8Array): number => gzipSync(bytes).length / KILOBYTE;

/** The size of all scripts of the console in KB, gzipped. */
export const allScripts = async (bundle: string): Promise<number> => {
  const folder = join(bundle, 'console', 'assets');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  if (names.length === 0) throw new Error('the console has no scripts');
  const sizes = await Promise.all(names.map(async (name) => gzipped(await readFile(join(folder, name)))));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** Adds up the HTML, scripts and styles that a page loads, in KB; API responses do not count. */
export const countFiles = (page: Page): (() => Promise<number>) => {
  const loaded: Promise<number>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.includes('/console') && !pathname.includes('/v1/'))
      loaded.push(response.body().then(gzipped));
  });
  return async () => (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
};

/** Total blocking time counts the part of each long task beyond 50 ms. */
const OBSERVE = `
globalThis.measured = { largest: 0, blocking: 0, usable: 0 };
new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) measured.largest = startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) measured.blocking += Math.max(0, duration - 50);
}).observe({ type: 'longtask', buffered: true });
new MutationObserver((_, observer) => {
  if (document.querySelector('textarea') === null) return;
  measured.usable = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });`;

const readNumber = async (page: Page, expression: string): Promise<number> =>
  Number(await page.evaluate(expression));

/** Opens the playground with an empty cache; returns milliseconds from the HTML until the prompt is usable. */
export const openFirstPage = async (page: Page, address: string): Promise<number> => {
  await page.addInitScript(OBSERVE);
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('textarea').first().waitFor();
  // Measured within the page, since Playwright polls only now and then.
  return readNumber(page, `measured.usable - performance.getEntriesByType('navigation')[0].responseEnd`);
};

/** Waits for the whole page; returns largest contentful paint and total blocking time in milliseconds. */
export const readPaint = async (page: Page): Promise<{ largest: number; blocking: number }> => {
  await page.waitForLoadState('networkidle');
  return {
    largest: await readNumber(page, 'measured.largest'),
    blocking: await readNumber(page, 'measured.blocking'),
  };
};

/** Scrolls a long page by 200 pixels per frame; returns the duration of each frame. */
export const scrollFrames = async (page: Page, frames: number): Promise<readonly number[]> => {
  const times: unknown = await page.evaluate(`new Promise((resolve) => {
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      scrollBy(0, 200);
      if (times.length > ${frames}) resolve(times.slice(1));
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
  if (!Array.isArray(times)) throw new Error('the page measured nothing');
  return times.map(Number);
};
