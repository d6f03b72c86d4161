import type { Page } from 'playwright-core';
import { signInTexts } from '../../../console/texts/sign-in-texts.ts';
import { texts } from '../../../console/texts/texts.ts';
import { choose, generateButton, promptField, workingStage } from './playground.ts';

/** The first URL that `npm start` prints. */
export const printedLink = (printed: string): string => /https?:\/\/\S+/.exec(printed)?.[0] ?? '';

const AT_ONE_SECOND = `(async () => {
  const player = document.querySelector('video.player');
  player.muted = true;
  await player.play();
  await new Promise((resolve) => { player.ontimeupdate = () => player.currentTime > 1 && resolve(); });
  player.pause();
  return player.currentTime > 1;
})()`;

/** The first steps of a new user: the link, one click, a prompt, a video that plays. */
export const makeFirstVideo = async (page: Page, link: string): Promise<unknown> => {
  await page.goto(link);
  await page.getByRole('button', { name: signInTexts.title }).click();
  await promptField(page).waitFor();
  await promptField(page).fill(texts.video.examples[0]);
  await choose(page, texts.form.secondsValue(4));
  await generateButton(page).click();
  await workingStage(page).waitFor();
  await page.locator('video.player').waitFor();
  return page.evaluate(AT_ONE_SECOND);
};
