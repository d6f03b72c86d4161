import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { texts } from '../../../console/texts/texts.ts';
import { skipBrowserTests, useBrowser } from '../../support/browser.ts';
import { call, HELD_BACK } from '../../support/http.ts';
import { JPEG, PNG, WEBP } from '../../support/images.ts';
import { openSharedService } from '../../support/open-service.ts';
import {
  addImages,
  choose,
  generate,
  generateButton,
  playAndSeek,
  promptField,
  workingStage,
} from './playground.ts';
import { followLink, openConsole } from './signed-in.ts';

const service = await openSharedService();

const HOSTILE_PROMPT =
  '<img src=x onerror="alert(1)"><script>alert(2)</script> مرحبا بالعالم \u202egnirts 👩‍👩‍👧‍👦 {{1+1}} "quoted"';

const png = { name: '"><img src=x onerror=alert(1)>.png', mimeType: 'image/png', buffer: PNG };
const jpeg = { name: '../../etc/passwd\u202egpj.exe', mimeType: 'image/jpeg', buffer: JPEG };
const webp = { name: `${'long '.repeat(40)}.webp`, mimeType: 'image/webp', buffer: WEBP };
type Upload = typeof png;

const MODES: readonly [
  mode: keyof typeof texts.modes,
  uploads: readonly [label: string, files: Upload[]][],
][] = [
  ['first_frame', [[texts.roleLabels.first(), [png]]]],
  [
    'first_and_last_frame',
    [
      [texts.roleLabels.first(), [jpeg]],
      [texts.roleLabels.last(), [webp]],
    ],
  ],
  ['references', [[texts.roleLabels.references(3), [png, jpeg, webp]]]],
];

describe('the video playground', { skip: skipBrowserTests, concurrency: 2 }, () => {
  const openPage = useBrowser();

  test('creates a video that plays, seeks and downloads, from a prompt with unusual characters', async () => {
    const { page, assertClean, close } = await openConsole(openPage, service);
    await generate(page, HOSTILE_PROMPT);
    assert.deepEqual(await playAndSeek(page), [1280, 720, 4, 3]);
    const shown = page.locator('.prompt-text');
    assert.equal(await shown.textContent(), HOSTILE_PROMPT);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: texts.actions.download }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^[\w-]+-4s-720p\.mp4$/);
    await download.delete();

    await page.reload();
    assert.equal(await promptField(page).inputValue(), HOSTILE_PROMPT);
    await page.locator('video.player').waitFor();
    await followLink(page, service, '/library');
    await page.locator('.item-link').filter({ hasText: 'onerror' }).click();
    assert.equal(await shown.textContent(), HOSTILE_PROMPT);
    assertClean();
    await close();
  });

  test('creates videos from images with unusual file names, in each mode', async () => {
    const { page, account, assertClean, close } = await openConsole(openPage, service);
    const access = { baseUrl: service.baseUrl, apiKey: await service.issueKey(account) };
    for (const [index, [mode, uploads]] of MODES.entries()) {
      await choose(page, texts.modes[mode]);
      for (const [label, files] of uploads) {
        await addImages(page, label, ...files);
      }
      // The form and its files survive a reload.
      await promptField(page).fill(HELD_BACK);
      await page.reload();
      assert.equal(await promptField(page).inputValue(), HELD_BACK, mode);
      const images = uploads.flatMap(([, files]) => files);
      for (const { name } of images) await page.getByAltText(name, { exact: true }).waitFor();
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await generateButton(page).click();
      const { id } = await (await answered).json();
      const { body } = await call(access, 'GET', `/v1/videos/${id}?include[]=request`);
      assert.equal(Object(body.request).mode, mode);
      await page.locator('.strip-item').nth(index).waitFor();
      await workingStage(page).waitFor();
      for (const { name } of images) {
        const preview = page.locator('.preview', { has: page.getByAltText(name, { exact: true }) });
        await preview.locator('.preview-remove').click();
      }
    }
    assertClean();
    await close();
  });
});
