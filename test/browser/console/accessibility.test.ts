import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { createVideo, waitFor } from '../../support/http.ts';
import { JPEG } from '../../support/images.ts';
import { putImage, putVideo } from '../../support/library-items.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { addImages, assertOnlyStatuses, choose, generateButton, promptField } from './playground.ts';
import { type ConsolePage, followLink, newAccount, openConsole } from './signed-in.ts';

const service = await openSharedService();
const account = newAccount();
const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };

const MANY = 6;
const first = { name: 'first.jpg', mimeType: 'image/jpeg', buffer: JPEG };
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();
const chooseAll = async (page: Page): Promise<void> => {
  await page.locator('.item-check').first().check();
  for (const check of await page.locator('.item-check').all()) await check.check();
};
/** Backgrounds of what is selected and of what is not. */
const SELECTED = [
  ['.choice input:checked + span', '.choice input:not(:checked) + span'],
  ['.tab[aria-selected="true"]', '.tab[aria-selected="false"]'],
  ['.side-nav .nav-link[aria-current]', '.side-nav .nav-link:not([aria-current])'],
] as const;

const background = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);

/** Compares the ring of the selected segment with the track. */
const RING_CONTRAST = `(() => {
  const luminance = (color) => {
    const [red, green, blue] = color.match(/\\d+/g).slice(0, 3).map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const selected = document.querySelector('.choice input:checked + span');
  const colors = [
    getComputedStyle(selected).boxShadow.match(/rgba?\\([^)]*\\)/)[0],
    getComputedStyle(selected.closest('.choices')).backgroundColor,
  ];
  const [dark, light] = colors.map(luminance).sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
})()`;

const heading = (page: Page) => page.locator('h1').waitFor();

/** The state in which the navigation is checked, too. */
const NAVIGATION = 'the video playground';

/** Each page and each kind of dialog, except the reference and the terms of a key, which their own tests check; `{failed}`, `{completed}` and `{image}` stand for ids. */
const STATES: readonly [what: string, path: string, prepare: (page: Page) => Promise<void>][] = [
  [NAVIGATION, '/playground/video', (page) => promptField(page).waitFor()],
  [
    'the form with its options, an image and a problem',
    '/playground/video',
    async (page) => {
      await choose(page, texts.modes.first_and_last_frame);
      await addImages(page, texts.roleLabels.first(), first);
      await page.getByText(texts.form.more).click();
      await generateButton(page).click();
      await page.getByText(texts.form.imageMissing(texts.roles.last)).waitFor();
    },
  ],
  ['the code', '/playground/video', (page) => page.getByRole('tab', { name: texts.video.code }).click()],
  ['the image playground', '/playground/images', (page) => promptField(page).waitFor()],
  ['the library as a grid', '/library', (page) => page.locator('.poster img').first().waitFor()],
  [
    'the library as a grid, with filters and chosen items',
    '/library?kind=video&status=failed&search=kite',
    async (page) => {
      await page.locator('.item-check').first().check();
      await page.getByText(texts.library.chosen('1')).waitFor();
    },
  ],
  [
    'the library as a list, with chosen items',
    '/library',
    async (page) => {
      await page.getByRole('radio', { name: texts.library.views.list }).check({ force: true });
      await chooseAll(page);
      await page.getByText(texts.library.chosen('3')).waitFor();
    },
  ],
  ['a stored image', '/library/{image}', (page) => page.locator('.large-image').waitFor()],
  [
    'an unknown item',
    '/library/task_unknown',
    (page) => page.getByText(texts.library.notFoundText).waitFor(),
  ],
  [
    'a search without result',
    '/library?search=nothing',
    (page) => page.getByText(texts.library.noMatchText).waitFor(),
  ],
  ['a completed task', '/library/{completed}', (page) => page.locator('video.player').waitFor()],
  ['a failed task', '/library/{failed}', (page) => page.getByRole('alert').waitFor()],
  [
    'the confirmation before deleting',
    '/library/{failed}',
    async (page) => {
      await press(texts.actions.delete)(page);
      await page.getByText(texts.task.deleteText).waitFor();
    },
  ],
  ['the keys', '/keys', (page) => page.locator('tbody tr').first().waitFor()],
  ['the form of a key', '/keys', press(texts.keys.create)],
  ['the usage', '/usage', heading],
  ['the quickstart', '/docs', heading],
  ['the errors', '/docs?part=errors', heading],
  ['the settings', '/settings', (page) => page.getByText(texts.settings.thisSession).waitFor()],
  [
    'the shortcuts',
    '/settings',
    async (page) => {
      await heading(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'the command palette',
    '/settings',
    async (page) => {
      await heading(page);
      await page.keyboard.press('Control+k');
      await page.locator('.command').nth(20).waitFor();
    },
  ],
  ['an unknown address', '/nowhere', (page) => page.getByText(texts.notFound.text).waitFor()],
];

describe('axe finds no problems on', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  // All tests share one page, which is loaded once, because compiling axe takes longer than running it.
  let shared: ConsolePage;

  let currentPage = '';
  /** Opens a page as a link does; another page in between discards the state of the same page. */
  const navigate = async (path: string): Promise<void> => {
    const { page } = shared;
    // Closes a dialog that belongs to all pages.
    await page.keyboard.press('Escape');
    const [nextPage = ''] = path.split('?');
    if (nextPage === currentPage) {
      await followLink(page, service, '/nowhere');
      await page.getByText(texts.notFound.text).waitFor();
    }
    currentPage = nextPage;
    await followLink(page, service, path);
  };
  const ids = { completed: '', failed: '', image: '' };
  before(async () => {
    const kite = { prompt: 'A kite', createdAt: Date.now() };
    // With a charge, which the usage shows.
    ids.completed = await createVideo(access, 'A kite');
    await waitFor(access, ids.completed);
    ids.failed = await putVideo(service, account, kite);
    ids.image = await putImage(service, account, { ...kite, prompt: 'A fox', bytes: JPEG });
    shared = await openConsole(openPage, service, { account });
  });

  for (const [what, path, prepare] of STATES)
    test(what, async () => {
      const filled = path
        .replace('{completed}', ids.completed)
        .replace('{failed}', ids.failed)
        .replace('{image}', ids.image);
      const { page, takeProblems } = shared;
      await page.setViewportSize({ width: 1280, height: 800 });
      await navigate(filled);
      await prepare(page);
      await assertAccessible(page, what, what === NAVIGATION ? 'page and navigation' : 'page');
      assertOnlyStatuses(takeProblems(), path.endsWith('unknown') ? [404] : []);
    });

  test('what is selected, by a contrast of 3:1 and in forced colors', async () => {
    const { page, assertClean } = shared;
    await page.setViewportSize({ width: 1280, height: 800 });
    await navigate('/playground/video');
    await promptField(page).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const contrast = Number(await page.evaluate(RING_CONTRAST));
      assert.ok(contrast >= 3, `${colorScheme}: ${contrast}`);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    for (const [selected, other] of SELECTED)
      assert.notEqual(await background(page, selected), await background(page, other), selected);
    await page.emulateMedia({ forcedColors: null, colorScheme: null });
    assertClean();
  });

  test('the menu of a narrow screen', async () => {
    const { page, assertClean } = shared;
    await page.setViewportSize({ width: 320, height: 800 });
    await navigate('/settings');
    await press(texts.navigation.more)(page);
    await page.locator('#more-pages').getByText(texts.navigation.docs).waitFor();
    await assertAccessible(page, 'the menu', 'page and navigation');
    assertClean();
  });

  test('a playground with more recent videos than fit beside each other', async () => {
    const { page, assertClean } = shared;
    for (let count = 0; count < MANY; count += 1)
      await putVideo(service, account, { prompt: `A kite ${count}`, createdAt: Date.now() - count * 1000 });
    await navigate('/playground/video');
    await page
      .locator('.strip-item')
      .nth(MANY - 1)
      .waitFor();
    await assertAccessible(page, 'many recent videos');
    assertClean();
  });
});
