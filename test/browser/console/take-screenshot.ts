import { resolve } from 'node:path';
import { Refusal, readOptions, runCommand } from '../../../lib/command.ts';
import { findChromium, INSTALL_CHROMIUM } from '../../support/find-chromium.ts';
import { npmStart } from '../../support/npm-start.ts';
import { makeFirstVideo, printedLink } from './first-video.ts';

const USAGE = `Takes the picture of the playground in the README, with Chromium.

Usage: npm run screenshot`;

const FILE = resolve(import.meta.dirname, '..', '..', '..', 'docs', 'playground.jpg');

const PATIENCE_MILLISECONDS = 120_000;

const takeScreenshot = async (executablePath: string): Promise<void> => {
  const { chromium } = await import('playwright-core');
  const service = await npmStart();
  const browser = await chromium.launch({ executablePath });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
    page.setDefaultTimeout(PATIENCE_MILLISECONDS);
    await makeFirstVideo(page, printedLink(service.printed));
    // Waits until the notice that the video is ready disappears.
    await page.locator('.notice').waitFor({ state: 'detached' });
    // Filling in the form scrolled the page and left the mouse on the button.
    await page.mouse.move(0, 0);
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: FILE, type: 'jpeg', quality: 88 });
    console.log(`Written to ${FILE}`);
  } finally {
    await browser.close();
    await service.close();
  }
};

await runCommand(USAGE, async (args) => {
  readOptions({ args, options: {} });
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Refusal(`No Chromium was found: ${INSTALL_CHROMIUM}`);
  await takeScreenshot(executablePath);
});
