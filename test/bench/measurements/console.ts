import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { chromium, type Page } from 'playwright-core';
import { newTaskId } from '../../../functions/platform/domain/ids.ts';
import { dynamoTasks } from '../../../functions/videos/adapters/dynamo-tasks.ts';
import { aTask } from '../../support/builders/task.ts';
import { findChromium, INSTALL_CHROMIUM } from '../../support/find-chromium.ts';
import type { Service } from '../../support/service.ts';
import { signIn } from '../../support/sessions.ts';
import { allScripts, countFiles, measureScrolling, openFirstPage, readPaint } from '../console-page.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';

const ACCOUNT = 'bench';
const AT_ONCE = 20;
const FULL = { tasks: 1000, frames: 300 };
const QUICK = { tasks: AT_ONCE, frames: 10 };
type Sizes = typeof FULL;

/** A frame of 60 per second has 16.7 ms, of which the main thread may take half. */
const BUDGETS = { firstPage: 45, allScripts: 130, usable: 1, frame: 8 } as const;

/** Failed tasks, so that no worker runs while the list is measured. */
const addTasks = async ({ operator, cloud }: Service, count: number): Promise<void> => {
  const tasks = dynamoTasks(new DynamoDBClient(operator), cloud.tableName('TasksTable'));
  for (let made = 0; made < count; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const createdAt = Date.now() - (made + index) * 1000;
        // Tasks with the same prompt would be variations of one request, which share a card.
        const request = { ...aTask().request, prompt: `Task ${made + index}` };
        return tasks.create(
          aTask({
            id: newTaskId(createdAt),
            account: ACCOUNT,
            request,
            createdAt,
            status: 'failed',
            error: { code: 'internal', message: 'An example of an error.' },
          }),
        );
      }),
    );
};

const openSignedIn = async (service: Service, page: Page): Promise<void> => {
  const { cookie } = await signIn(service, ACCOUNT);
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: new URL(service.baseUrl).origin }]);
};

const measureList = async (page: Page, address: string, { tasks, frames }: Sizes) => {
  await page.goto(address);
  await page.locator('.item').first().waitFor();
  // Each scroll loads more tasks.
  while ((await page.locator('.item').count()) < tasks) await page.mouse.wheel(0, 20_000);
  await page.evaluate('scrollTo(0, 0)');
  return {
    elements: Number(await page.evaluate("document.querySelectorAll('*').length")),
    ...(await measureScrolling(page, frames)),
  };
};

const NOTE = 'Chromium on the same machine, local gateway, empty cache';

export const consolePage = async (stage: Stage): Promise<readonly Figure[]> => {
  const sizes = stage.size(FULL, QUICK);
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`Chromium was not found: ${INSTALL_CHROMIUM}`);
  const { bundle } = stage.definition('get-console', 'http://127.0.0.1:9');
  const service = await stage.start();
  const browser = await chromium.launch({ executablePath });
  try {
    await addTasks(service, sizes.tasks);
    const page = await browser.newPage();
    await openSignedIn(service, page);
    const firstBytes = countFiles(page);
    // Files that the page fetches later do not count.
    const [usable, bytes] = await Promise.all([
      openFirstPage(page, `${service.baseUrl}/console/playground/video`),
      page.locator('textarea').first().waitFor().then(firstBytes),
    ]);
    const paint = await readPaint(page);
    const figures: Figure[] = [
      {
        name: 'console, first page',
        measured: bytes,
        unit: 'KB',
        budget: BUDGETS.firstPage,
        note: 'gzip',
      },
      {
        name: 'console, all scripts',
        measured: await allScripts(bundle),
        unit: 'KB',
        budget: BUDGETS.allScripts,
        note: 'gzip',
      },
      {
        name: 'console, usable after the HTML',
        measured: usable / 1000,
        unit: 's',
        budget: BUDGETS.usable,
        note: NOTE,
      },
      {
        name: 'console, largest contentful paint',
        measured: paint.largest,
        unit: 'ms',
        note: NOTE,
      },
      { name: 'console, total blocking time', measured: paint.blocking, unit: 'ms', note: NOTE },
    ];
    const list = await measureList(page, `${service.baseUrl}/console/library`, sizes);
    const note = `CPU of the main thread, ${sizes.frames} frames through ${sizes.tasks} tasks, ${list.elements} elements`;
    const budget = BUDGETS.frame;
    return [
      ...figures,
      { name: 'console, scrolling, a frame', measured: list.perFrame, unit: 'ms', budget, note },
      { name: 'console, scrolling, the slowest tenth', measured: list.most, unit: 'ms', budget, note },
    ];
  } finally {
    await browser.close();
    await service.close();
  }
};
