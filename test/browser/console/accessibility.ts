import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { longOr } from '../../support/long-tests.ts';

type View = { readonly width: number; readonly colorScheme: 'light' | 'dark' };

const BOTH: readonly View[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
];
const OTHERS: readonly View[] = [
  { width: 1280, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
];
/** Each width and each theme; with LONG_TESTS set, each width in each theme. */
export const VIEWS = longOr(BOTH, [...BOTH, ...OTHERS]);

type Part = 'page' | 'page and navigation';

/** All pages share colours and spaces, so a page without its navigation has one view, and half of the pages have the other. */
const viewsFor = (what: string, part: Part): readonly View[] =>
  part === 'page' ? longOr(BOTH.slice(what.length % 2).slice(0, 1), VIEWS) : VIEWS;

/** The browser compiles the minified program in half of the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** These rules depend on colours, sizes and places; all others on the elements and on whether they are displayed. */
const VISUAL_RULES = [
  'color-contrast',
  'label-content-name-mismatch',
  'link-in-text-block',
  'scrollable-region-focusable',
];

/**
 * The navigation, which all pages share, is checked where a state says so; the page below a dialog is a state of its own.
 * Checks only the visual rules, if all others have been checked while every displayed element was displayed.
 * Where the navigation is not checked, its elements are removed while axe runs: axe would measure each of them.
 * No rule that is on reads the style sheets, which axe would collect by default.
 */
const check = (part: Part, isFirst: boolean): string => `(async () => {
  const dialog = document.querySelector('dialog:modal');
  const displayed = [...(dialog ?? document.querySelector('main')).querySelectorAll('*')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }));
  const isChecked = ${!isFirst} && displayed.every((element) => globalThis.checkedElements.has(element));
  globalThis.checkedElements = new Set(displayed);
  const context = dialog === null ? { exclude: ['nav.side', 'nav.bottom-nav'] } : { include: [dialog] };
  const emptied = ${part === 'page'} ? [...document.querySelectorAll('nav.side, nav.bottom-nav')] : [];
  const links = emptied.map((navigation) => [...navigation.childNodes]);
  for (const navigation of emptied) navigation.replaceChildren();
  const { violations } = await axe.run(${part === 'page' ? 'context' : 'document'}, {
    resultTypes: ['violations'],
    preload: { assets: ['media'] },
    ...(isChecked ? { runOnly: ${JSON.stringify(VISUAL_RULES)} } : {}),
  });
  emptied.forEach((navigation, index) => navigation.append(...links[index]));
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    violations: violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')),
    endlessAnimations: document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().iterations === Infinity)
      .map(({ animationName }) => animationName),
    scrollsSideways: scrollWidth > clientWidth,
  };
})()`;

const NO_PROBLEMS = { violations: [], endlessAnimations: [], scrollsSideways: false };

const HAS_AXE = `typeof axe === 'object'`;

/** Checks all rules of axe-core, wide or narrow (with LONG_TESTS set, in all views of the whole page), that a page respects the wish for less motion, and that a narrow one does not scroll sideways. */
export const assertAccessible = async (
  page: Page,
  what: string,
  part: Part = 'page',
  views = viewsFor(what, part),
): Promise<void> => {
  if ((await page.evaluate(HAS_AXE)) !== true) await page.evaluate(AXE);
  const checkedPart = longOr(part, 'page and navigation');
  for (const [index, { width, colorScheme }] of views.entries()) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const isFirst = index === 0 || checkedPart !== 'page';
    const problems = await page.evaluate(check(checkedPart, isFirst));
    assert.deepEqual(problems, NO_PROBLEMS, `${what}, ${width} px, ${colorScheme}`);
  }
};
