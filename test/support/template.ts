import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Config } from '../../lib/config.ts';
import { type Made, shared } from './shared.ts';

/** For the runner, which has CDK loaded: a test file would load it for a second, to synthesize for half of one. */
export const makeTemplate = async (config: string): Promise<Made<string>> => {
  const { synthesizeTemplate } = await import('./synthesize.ts');
  const folder = await mkdtemp(join(tmpdir(), 'template-'));
  const close = () => rm(folder, { recursive: true });
  try {
    return { value: synthesizeTemplate(folder, JSON.parse(config)), close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Where the stack with this configuration lies, without its functions' code; the files end in `.template.json` and `.assets.json`. */
export const synthesizedWith = async (config: Partial<Config>): Promise<string> => {
  const { value, close } = await shared('template', makeTemplate, JSON.stringify(config));
  after(close);
  return value;
};
