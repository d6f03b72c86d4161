import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { chromium, type Page } from 'playwright-core';
import { newTaskId } from '../../../functions/platform/domain/ids.ts';
import { dynamoTasks } from '../../../functions/videos/adapters/dynamo-tasks.ts';
import { aTask } from '../../support/builders/task.ts';
import { findChromium, INSTALL_CHROMIUM } from '../../support/find-chromium.ts';
import { type Service, startService } from '../../support/service.ts';
import { signIn } from '../../support/sessions.ts';
import { allScripts, countFiles, openFirstPage, readPaint, scrollFrames } from '../console-page.ts';
import type { Figure } from '../measurement.ts';
import type { Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';

const ACCOUNT = 'bench';
const TASKS = 1000;
const AT_ONCE = 20;
const FRAMES = 300;
const BUDGETS = { firstPage: 45, allScripts: 120, usable: 1 } as const;

/** Failed tasks, so that no worker runs while the list is measured. */
const addTasks = async ({ operator, cloud }: Service): Promise<void> => {
  const tasks = dynamoTasks(new DynamoDBClient(operator), cloud.tableName('TasksTable'));
  for (let made = 0; made < TASKS; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const createdAt = Date.now() - (made + index) * 1000;
        return tasks.create(
          aTask({
            id: newTaskId(createdAt),
            account: ACCOUNT,
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

const measureList = async (page: Page, address: string): Promise<readonly number[]> => {
  await page.goto(address);
  await page.locator('.item').first().waitFor();
  // Each scroll loads more tasks.
  while ((await page.locator('.item').count()) < TASKS) await page.mouse.wheel(0, 20_000);
  await page.evaluate('scrollTo(0, 0)');
  return scrollFrames(page, FRAMES);
};

const NOTE = 'Chromium on the same machine, local gateway, empty cache';

export const consolePage = async (stage: Stage): Promise<readonly Figure[]> => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`Chromium was not found: ${INSTALL_CHROMIUM}`);
  const { bundle } = await stage.definition('get-console', 'http://127.0.0.1:9');
  const service = await startService();
  const browser = await chromium.launch({ executablePath });
  try {
    await addTasks(service);
    const page = await browser.newPage();
    await openSignedIn(service, page);
    const firstBytes = countFiles(page);
    const usable = await openFirstPage(page, `${service.baseUrl}/console/playground/video`);
    // Files that the page fetches later do not count.
    const bytes = await firstBytes();
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
    const frames = await measureList(page, `${service.baseUrl}/console/library`);
    const note = `${FRAMES} frames through ${TASKS} tasks`;
    return [
      ...figures,
      { name: 'console, scrolling, p50 of a frame', measured: percentile(frames, 0.5), unit: 'ms', note },
      { name: 'console, scrolling, p99 of a frame', measured: percentile(frames, 0.99), unit: 'ms', note },
    ];
  } finally {
    await browser.close();
    await service.close();
  }
};
