import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import type { VideoCapabilitiesObject } from '../../../functions/catalogue/api/video-capabilities.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call, createVideo, FAST_MODEL, HELD_BACK, MODEL, waitFor } from '../../support/http.ts';
import { IMAGE_MODEL } from '../../support/images/pictures.ts';
import { openSharedService } from '../../support/open-service.ts';
import { EVERY_OPTION } from '../../support/video-capabilities.ts';
import { assertAccessible } from './accessibility.ts';
import { choose, generateButton, promptField } from './playground.ts';
import { type ConsolePage, followLink, openConsole } from './signed-in.ts';

const service = await openSharedService();

type Offers = {
  readonly video: Readonly<Record<string, readonly VideoCapabilitiesObject[]>>;
  readonly image: boolean;
  readonly image_sizes: readonly string[];
};

/** The service of the tests offers everything; from the next load on, the page is told otherwise. */
const setSession = async (page: Page, changes: object): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route('**/v1/console/session', async (route) => {
    // Playwright leaves it out, but the service accepts a session only from its own pages.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers });
    await route.fulfill({ response, json: { ...(await response.json()), ...changes } });
  });
  await page.reload();
};

const setOffers = (page: Page, offers: Offers): Promise<void> => setSession(page, { offers });

/** A server of the Videos API beside one that makes longer videos in 4k, but only from text. */
const SETS = [
  {
    ...EVERY_OPTION,
    modes: ['text', 'first_frame'],
    resolutions: ['720p', '1080p'],
    seed: false,
    negative_prompt: false,
  },
  { ...EVERY_OPTION, modes: ['text'], seconds: [8], resolutions: ['4k'], negative_prompt: false },
] satisfies VideoCapabilitiesObject[];
const RESTRICTED: Offers = { video: { [FAST_MODEL]: SETS }, image: true, image_sizes: ['1K', '2K', '4K'] };

/** The choices of a group that cannot be made, and the text below it. */
const readGroup = async (page: Page, legend: string) => {
  const group = page.getByRole('group', { name: legend, exact: true });
  const disabled = await group.getByRole('radio', { disabled: true }).all();
  return [
    await Promise.all(disabled.map((radio) => radio.getAttribute('value'))),
    (await group.locator('p').allTextContents()).join(),
  ];
};

const NO_FRAME_PAIRS = `This deployment does not offer a first and a last frame with ${FAST_MODEL}. It offers text alone, a first frame.`;
const NOT_IN_ONE_VIDEO = `This deployment offers a first frame and resolution 4k with ${FAST_MODEL}, but not in one video. Change one of them.`;

const wide = (page: Page) => page.setViewportSize({ width: 1280, height: 720 });

describe('the playground of a deployment that does not offer everything', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();
  // The tests continue each other on one page.
  let shared: ConsolePage;
  before(async () => {
    shared = await openConsole(openPage, service);
  });

  test('shows a stored form with the reasons of the server, and does not send it until it is corrected', async () => {
    const { page, account, assertClean } = shared;
    await promptField(page).fill(HELD_BACK);
    await page.locator('select').first().selectOption(MODEL);
    await choose(page, texts.modes.references);
    await choose(page, '4k');
    await setOffers(page, RESTRICTED);
    await page.getByText(`This deployment does not offer ${MODEL}; it offers ${FAST_MODEL}.`).waitFor();
    await page.locator('select').first().selectOption(FAST_MODEL);
    assert.deepEqual(await page.locator('select').first().locator('option').allTextContents(), [FAST_MODEL]);
    const mode = page.getByRole('group', { name: texts.form.mode });
    await mode
      .locator('p.wrong', {
        hasText: `This deployment does not offer reference images with ${FAST_MODEL}. It offers text alone, a first frame.`,
      })
      .waitFor();
    assert.equal(await page.getByRole('radio', { name: texts.modes.references }).isChecked(), true);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') requests.push(request.url());
    });
    await generateButton(page).click();
    const focused = page.locator(':focus');
    await focused.and(page.getByRole('radio')).waitFor();
    assert.equal(await focused.getAttribute('value'), 'text');
    await choose(page, texts.modes.text);
    assert.equal(await page.locator('form .wrong').count(), 0);
    assert.equal(await page.getByRole('radio', { name: '4k' }).isChecked(), true);
    assert.deepEqual(requests, []);
    await choose(page, '720p');

    // Variations have no seeds, because none are offered.
    await page.getByRole('group', { name: texts.form.variations }).locator('label', { hasText: '2' }).click();
    await generateButton(page).click();
    await page.locator('.prompt-text').waitFor();
    assert.equal(requests.length, 2);
    const access = { ...service, apiKey: await service.issueKey(account) };
    const { body } = await call(access, 'GET', '/v1/videos?include[]=request');
    const seeds = Object(body).data.map(({ request }: { request: { seed: unknown } }) => request.seed);
    assert.deepEqual(seeds, [null, null]);
    assertClean();
  });

  test('disables other choices with the reasons, on each playground', async () => {
    const { page, assertClean } = shared;
    assert.deepEqual(await readGroup(page, texts.form.mode), [
      ['first_and_last_frame', 'references'],
      NO_FRAME_PAIRS,
    ]);
    assert.deepEqual(await readGroup(page, texts.form.resolution), [[], '']);
    await choose(page, texts.modes.first_frame);
    assert.deepEqual(await readGroup(page, texts.form.resolution), [['4k'], NOT_IN_ONE_VIDEO]);
    await page.getByText(texts.form.more).click();
    assert.equal(await page.getByLabel(texts.form.negativePrompt).isDisabled(), true);
    await page
      .getByText(`This deployment does not offer a negative prompt with ${FAST_MODEL}. Leave it out.`)
      .waitFor();
    assert.equal(await page.getByLabel(texts.form.seed).isDisabled(), true);
    await assertAccessible(page, 'the restricted playground');

    await followLink(page, service, '/playground/images');
    await page.getByRole('heading', { name: texts.images.title }).waitFor();
    assert.deepEqual(await readGroup(page, texts.form.size), [
      ['512'],
      `This deployment does not offer size 512 with ${IMAGE_MODEL}. It offers 1K, 2K, 4K.`,
    ]);
    assertClean();
  });

  test('has a storyboard that says what it does not offer, and sends nothing until that is changed', async () => {
    const { page, assertClean } = shared;
    await wide(page);
    await followLink(page, service, '/playground/storyboard');
    const shot = (number: number) => page.getByLabel(texts.storyboard.shot(number), { exact: true });
    await shot(2).getByText(NO_FRAME_PAIRS).waitFor();
    assert.equal(await page.getByLabel(texts.form.model).locator('option').count(), 1);
    assert.deepEqual(await readGroup(page, texts.form.resolution), [['4k'], NOT_IN_ONE_VIDEO]);
    for (const number of [1, 2]) await shot(number).getByLabel(texts.form.prompt).fill(HELD_BACK);
    await assertAccessible(page, 'the restricted storyboard');

    // The stored second shot continues the first, which is no longer offered.
    const textOnly = [{ ...EVERY_OPTION, modes: ['text' as const] }];
    await setOffers(page, { ...RESTRICTED, video: { [FAST_MODEL]: textOnly } });
    await shot(2)
      .locator('p.wrong', {
        hasText: `This deployment does not offer a first frame with ${FAST_MODEL}. It offers text alone.`,
      })
      .waitFor();
    await page.getByRole('button', { name: 'Generate 2 shots' }).click();
    await page.getByRole('alert').getByText(texts.storyboard.problems.offer(2)).waitFor();
    await shot(2).locator('label.choice', { hasText: texts.storyboard.starts.text }).click();
    await page.locator('.wrong').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: texts.storyboard.add }).click();
    const start = shot(3).getByRole('radio', { name: texts.storyboard.starts.text, exact: true });
    assert.equal(await start.isChecked(), true);
    assertClean();
  });

  test('starts the documentation with a video that it offers, and says so if it offers no videos or no images', async () => {
    const { page, assertClean } = shared;
    await wide(page);
    await followLink(page, service, '/docs');
    const video = { [MODEL]: [{ ...EVERY_OPTION, resolutions: ['1080p' as const] }] };
    await setOffers(page, { ...RESTRICTED, video });
    const code = page.locator('pre', { hasText: '/v1/videos' });
    await code.filter({ hasText: MODEL }).filter({ hasText: '1920x1080' }).first().waitFor();
    await followLink(page, service, '/docs?part=reference&operation=createVideo');
    const sample = page.locator('details[open]').getByLabel(texts.docs.sample);
    await sample.getByText('1920x1080').waitFor();
    await followLink(page, service, '/docs');

    await setOffers(page, { video: {}, image: false, image_sizes: [] });
    await page.getByText(texts.notOffered.videos).waitFor();
    for (const [link, title] of [
      [texts.navigation.video, texts.video.title],
      [texts.navigation.storyboard, texts.navigation.storyboard],
    ]) {
      await page
        .getByRole('link', { name: link ?? '' })
        .first()
        .click();
      await page.getByRole('heading', { name: title ?? '', level: 1 }).waitFor();
      await page.getByText(texts.notOffered.videos).waitFor();
    }
    await page.getByRole('link', { name: texts.navigation.images }).first().click();
    await page.getByText(texts.notOffered.images).waitFor();
    await assertAccessible(page, 'the playground without images');
    await page.getByRole('link', { name: texts.notOffered.link }).click();
    await page.getByRole('heading', { name: texts.navigation.library, level: 1 }).waitFor();
    assertClean();
  });
});

const FEATURE_PATHS =
  /\/v1\/(?:webhook_|shares|collections|organization\/(?:invites|projects\/[^/]+\/users))/;

describe('the console of a deployment without features', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('has no pages, shortcuts and actions of features, and asks for none of them', async () => {
    const { page, account, assertClean } = await openConsole(openPage, service);
    const access = { ...service, apiKey: await service.issueKey(account) };
    const id = await createVideo(access, 'A fox');
    await waitFor(access, id);
    const requests: string[] = [];
    await setSession(page, { features: [] });
    page.on('request', (request) => {
      if (FEATURE_PATHS.test(request.url())) requests.push(request.url());
    });
    await wide(page);
    await page.getByRole('link', { name: texts.navigation.keys }).first().waitFor();
    for (const name of [texts.navigation.connect, texts.navigation.webhooks, texts.navigation.people])
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name);

    await page.getByRole('link', { name: texts.navigation.usage, exact: true }).first().click();
    await page.getByRole('heading', { name: texts.navigation.usage, level: 1 }).waitFor();
    assert.equal(await page.getByRole('radio', { name: texts.usage.groupings.user_id }).count(), 0);
    await page.locator('h1').click();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: texts.navigation.settings, level: 1 }).waitFor();
    assert.equal(await page.getByText(texts.settings.inviteInstead).count(), 0);
    assert.equal(await page.locator('dt', { hasText: texts.navigation.webhooks }).count(), 0);

    for (const path of ['/webhooks', '/people', '/connect', '/library/collections']) {
      await followLink(page, service, path);
      await page.getByRole('heading', { name: texts.notFound.title, level: 1 }).waitFor();
    }
    await followLink(page, service, `/library/${id}`);
    await page.getByRole('button', { name: texts.actions.delete }).first().waitFor();
    for (const name of [texts.share.action, texts.collections.add])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    assert.equal(await page.getByRole('heading', { name: texts.navigation.webhooks }).count(), 0);
    await followLink(page, service, '/library');
    await page.getByRole('heading', { name: texts.navigation.library, level: 1 }).waitFor();
    assert.equal(await page.getByRole('link', { name: texts.collections.title }).count(), 0);
    assert.deepEqual(requests, []);
    assertClean();
  });
});
