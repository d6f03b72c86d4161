import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';

const KILOBYTE = 1000;

const gzipped = (bytes: Uint8Array): number => gzipSync(bytes).length / KILOBYTE;

/** Every script that the console could ever load, in KB. */
export const allScripts = async (bundle: string): Promise<number> => {
  const folder = join(bundle, 'console', 'assets');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  if (names.length === 0) throw new Error('the console has no scripts');
  const sizes = await Promise.all(names.map(async (name) => gzipped(await readFile(join(folder, name)))));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** Counts what a page loads of the console itself, in KB: page, scripts and styles, not the API's answers. */
export const countFiles = (page: Page): (() => Promise<number>) => {
  const loaded: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.includes('/console')) loaded.push(response.body().then(gzipped));
  });
  return async () => (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
};
