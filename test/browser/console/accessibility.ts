import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const BOTH = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;
const OTHERS = [
  { width: 1280, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
] as const;
/** Each width and each theme; with LONG_TESTS set, each width in each theme. */
const VIEWS = process.env.LONG_TESTS === undefined ? BOTH : [...BOTH, ...OTHERS];

/** The browser compiles the minified program in half of the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** No rule that is on reads the style sheets, which axe would collect by default. */
const RUN = `axe.run({ resultTypes: ['violations'], preload: { assets: ['media'] } }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`;

const ENDLESS_ANIMATIONS = `document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().iterations === Infinity)
  .map(({ animationName }) => animationName)`;

const HAS_AXE = `typeof axe === 'object'`;
const IS_TOO_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Checks all rules of axe-core in both themes, wide and narrow, that a page respects the wish for less motion, and that a narrow one does not scroll sideways. */
export const assertAccessible = async (page: Page, what: string): Promise<void> => {
  if ((await page.evaluate(HAS_AXE)) !== true) await page.evaluate(AXE);
  for (const { width, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await page.evaluate(RUN), [], `${what}, ${width} px, ${colorScheme}`);
    assert.deepEqual(await page.evaluate(ENDLESS_ANIMATIONS), [], `${what} moves without end`);
    assert.equal(await page.evaluate(IS_TOO_WIDE), false, `${what} scrolls sideways at ${width} px`);
  }
};
