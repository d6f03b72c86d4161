import type { Page } from 'playwright-core';

/** A task that takes longer than 50 ms blocks clicks for the rest of its time. */
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

/** Opens the playground with an empty cache; milliseconds from the HTML until somebody can type. */
export const openFirstPage = async (page: Page, address: string): Promise<number> => {
  await page.addInitScript(OBSERVE);
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('textarea').first().waitFor();
  // The page itself looks at the time: whoever waits from outside looks only now and then.
  return readNumber(page, `measured.usable - performance.getEntriesByType('navigation')[0].responseEnd`);
};

/** Once all of the page is there: its largest paint, and how long it kept somebody waiting, in milliseconds. */
export const readPaint = async (page: Page): Promise<{ largest: number; blocking: number }> => {
  await page.waitForLoadState('networkidle');
  return {
    largest: await readNumber(page, 'measured.largest'),
    blocking: await readNumber(page, 'measured.blocking'),
  };
};

/** Scrolls a long page to its end, a part of the screen a frame; how long each frame took. */
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
