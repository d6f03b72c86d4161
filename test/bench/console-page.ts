import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

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
  const count = (response: Response): void => {
    const { pathname } = new URL(response.url());
    if (pathname.includes('/console') && !pathname.includes('/v1/'))
      loaded.push(response.body().then(gzipped));
  };
  page.on('response', count);
  return async () => {
    page.off('response', count);
    return (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
  };
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
let isPressed = false;
new MutationObserver((_, observer) => {
  const two = [...document.querySelectorAll('[type="radio"]')].find(({ value }) => value === '2');
  if (two !== undefined && !isPressed) {
    isPressed = true;
    two.click();
  }
  if (!document.querySelector('[type="submit"]')?.textContent.startsWith('Generate 2')) return;
  measured.usable = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true, characterData: true });`;

const readNumber = async (page: Page, expression: string): Promise<number> =>
  Number(await page.evaluate(expression));

/** Opens the playground with an empty cache; returns milliseconds from the HTML until a button has reacted. */
export const openFirstPage = async (page: Page, address: string): Promise<number> => {
  await page.addInitScript(OBSERVE);
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Generate 2' }).waitFor();
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

type ScrollCost = {
  /** CPU milliseconds of the page's main thread per frame, which other processes do not change. */
  readonly perFrame: number;
  /** The most of ten parts of the way. */
  readonly most: number;
};

/** Scrolls a long page by 200 pixels per frame. */
export const measureScrolling = async (page: Page, frames: number): Promise<ScrollCost> => {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuMilliseconds = async (): Promise<number> => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const parts: number[] = [];
  for (let part = 0; part < 10; part += 1) {
    const before = await cpuMilliseconds();
    await page.evaluate(`new Promise((resolve) => {
      let left = ${frames / 10};
      const step = () => {
        scrollBy(0, 200);
        left -= 1;
        if (left === 0) resolve();
        else requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    })`);
    parts.push(((await cpuMilliseconds()) - before) / (frames / 10));
  }
  return { perFrame: parts.reduce((sum, part) => sum + part, 0) / parts.length, most: Math.max(...parts) };
};
