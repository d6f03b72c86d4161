import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { openSharedService } from '../../support/open-service.ts';
import { assertAccessible } from './accessibility.ts';
import { choose } from './playground.ts';
import { openConsole } from './signed-in.ts';

const service = await openSharedService();

const REPEATED_IDS = `[...document.querySelectorAll('[id]')].map(({ id }) => id)
  .filter((id, index, ids) => ids.indexOf(id) < index)`;

/** Nobody perceives the bodies of closed operations, but axe would visit their 9,600 elements for each rule. */
const REMOVE_CLOSED = `document.querySelectorAll('details:not([open]) > :not(summary)').forEach((body) => body.remove())`;

describe('the docs', { skip: skipBrowserTests }, () => {
  const openPage = useBrowser();

  test('install and run each program, list every error with a remedy, find and link endpoints, and send requests', async () => {
    const { page, assertClean } = await openConsole(openPage, service, { path: '/docs' });
    for (const [language, command] of [
      ['node', 'npm install openai'],
      ['python', 'python3 -m pip install openai'],
    ] as const) {
      await choose(page, texts.code.names[language]);
      await page.getByLabel(texts.docs.run.label).getByText(command).waitFor();
    }
    await page.getByRole('tab', { name: texts.docs.limits }).click();
    await page.getByText('14.7 MB together').waitFor();
    await page.getByRole('tab', { name: texts.docs.errors }).click();
    const row = page.getByRole('row', { name: 'request_too_large' });
    await row.getByText('Upload large images as files first, and name them by ID').waitFor();

    await page.getByRole('tab', { name: texts.docs.reference }).click();
    // Searching the summaries only, because all bodies together have 9,600 elements.
    const operation = (text: string) =>
      page.locator('summary', { has: page.getByText(text, { exact: true }) }).locator('..');
    const create = operation('Create a video task');
    await create.locator('summary').click();
    const names = await create.locator('dl').nth(1).locator('dt code').allTextContents();
    assert.ok(names.indexOf('generateAudio') > names.indexOf('metadata'), 'refused fields are last');
    await create.getByText('3, 4, 5, 6, 7, 8, 9, 10 and 5 more', { exact: true }).first().waitFor();
    await create.getByLabel(texts.docs.sample).getByText('A fox runs').waitFor();
    await create.getByRole('link', { name: texts.docs.linkTo('POST /v1/videos') }).click();
    assert.match(page.url(), /[?&]operation=\w+$/);
    await page.reload();
    await page.locator('details[open] summary', { hasText: 'Create a video task' }).waitFor();
    assert.equal(await page.locator('details[open]').count(), 1);
    await create.locator('summary').click();

    await page.getByLabel(texts.docs.search).fill('{model} GET');
    await create.waitFor({ state: 'detached' });
    const models = operation('/v1/models/{model}');
    await models.locator('summary').click();
    await models.getByRole('button', { name: texts.docs.tryIt }).click();
    await models.getByRole('textbox').fill('video-3.1-fast-generate-preview');
    await models.getByRole('button', { name: texts.actions.send }).click();
    await models.getByText(/^200 after/).waitFor();
    await models.getByText('"id": "video-3.1-fast-generate-preview"').last().waitFor();
    assert.deepEqual(await page.evaluate(REPEATED_IDS), []);
    await page.evaluate(REMOVE_CLOSED);
    await assertAccessible(page, 'the reference with a request and its response');
    assertClean();
  });
});
