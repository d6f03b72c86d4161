import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { texts } from '../../../console/texts/texts.ts';
import { call, createVideo, type ServiceAccess, waitFor } from '../../support/http.ts';

/** Chromium logs each status of 400 and above. */
export const refusal = (status: number): RegExp => new RegExp(`^console: .*status of ${status} \\(.*\\) at `);

/** Fails on all problems except Chromium's log lines about these statuses. */
export const assertOnlyStatuses = (problems: readonly string[], statuses: readonly number[]): void => {
  const others = problems.filter((problem) => !statuses.some((status) => refusal(status).test(problem)));
  assert.deepEqual(others, []);
};

export const promptField = (page: Page) =>
  page.getByRole('textbox', { name: texts.form.prompt, exact: true });

/** The label of a mode is also the label of its only file field. */
export const fileField = (page: Page, label: string) =>
  page.locator('.field', { hasText: label }).locator('input[type="file"]');

type ChosenImage = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

const waitForPreviews = async (page: Page, images: readonly { readonly name: string }[]): Promise<void> => {
  for (const { name } of images) await page.getByAltText(name, { exact: true }).first().waitFor();
};

/** Chooses images, and waits until the page shows them. */
export const addImages = async (page: Page, label: string, ...images: ChosenImage[]): Promise<void> => {
  await fileField(page, label).setInputFiles(images);
  await waitForPreviews(page, images);
};

/** A file of so many bytes: the image, then zeros. */
type LargeFile = ChosenImage & { readonly bytes: number };

type EncodedFile = Omit<LargeFile, 'buffer'> & { readonly base64: string };

/** Runs in the page. */
const setFiles = (input: unknown, files: readonly EncodedFile[]): void => {
  const transfer = new (Object(globalThis).DataTransfer)();
  for (const { name, mimeType, base64, bytes } of files) {
    const image = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    transfer.items.add(new File([image, new Uint8Array(bytes - image.length)], name, { type: mimeType }));
  }
  Object(input).files = transfer.files;
  Object(input).dispatchEvent(new Event('change', { bubbles: true }));
};

/** Chooses files that the page itself fills up, because sending megabytes to the browser takes seconds. */
export const chooseLargeFiles = (field: Locator, ...files: readonly LargeFile[]): Promise<void> =>
  field.evaluate(
    setFiles,
    files.map(({ buffer, ...file }) => ({ ...file, base64: buffer.toString('base64') })),
  );

/** Chooses large images, and waits until the page shows them. */
export const addLargeImages = async (page: Page, label: string, ...images: LargeFile[]): Promise<void> => {
  await chooseLargeFiles(fileField(page, label), ...images);
  await waitForPreviews(page, images);
};

export const choose = (page: Page, label: string): Promise<void> =>
  page.locator('label.choice').filter({ hasText: label }).first().click();

/** The button may show the price. */
export const generateButton = (page: Page) => page.locator('form button[type="submit"]');

/** Shown while a video is being generated. */
export const workingStage = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^(?:${texts.states.queued}|${texts.states.in_progress})$`) });

/** Generates a video, and returns its file. */
export const makeVideo = async (service: ServiceAccess, prompt: string): Promise<Buffer> => {
  const id = await createVideo(service, prompt);
  await waitFor(service, id);
  const { headers } = await call(service, 'GET', `/v1/videos/${id}/content`);
  return Buffer.from(await (await fetch(headers.get('location') ?? '')).arrayBuffer());
};

let shared: Promise<Buffer> | undefined;
/** The file of a video that the tests of a process share. */
export const sharedVideo = (service: ServiceAccess): Promise<Buffer> => {
  shared ??= makeVideo(service, 'A kite');
  return shared;
};

/** Requests the shortest video. */
export const generate = async (page: Page, prompt: string): Promise<void> => {
  await choose(page, texts.form.secondsValue(4));
  await promptField(page).fill(prompt);
  await generateButton(page).click();
};

const TO_THREE_SECONDS = `(async () => {
  const player = document.querySelector('video.player');
  // The player renews an expired URL first.
  while (player.readyState < 1) await new Promise((resolve) => setTimeout(resolve, 50));
  player.muted = true;
  await player.play();
  await new Promise((resolve) => {
    player.ontimeupdate = () => player.currentTime > 0.2 && resolve();
  });
  player.pause();
  player.currentTime = 3;
  await new Promise((resolve) => { player.onseeked = resolve; });
  return [player.videoWidth, player.videoHeight, Math.round(player.duration), player.currentTime];
})()`;

/** Plays the video for a moment, then seeks; returns its size, length and position. */
export const playAndSeek = async (page: Page): Promise<unknown> => {
  await page.locator('video.player').waitFor();
  return page.evaluate(TO_THREE_SECONDS);
};
