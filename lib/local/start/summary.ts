import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replaceFile } from '../atomic-write.ts';

const summarySchema = z.object({
  baseUrl: z.string(),
  apiKey: z.string().min(1),
  /** Signs one person in to the console, once. */
  signInUrl: z.string(),
});

export type Summary = z.infer<typeof summarySchema>;

/** The key of an earlier start, which is as good as its data. */
export const keptKey = async (file: string): Promise<string | undefined> => {
  try {
    return summarySchema.pick({ apiKey: true }).parse(JSON.parse(await readFile(file, 'utf8'))).apiKey;
  } catch {
    return undefined;
  }
};

export const writeSummary = async (file: string, summary: Summary): Promise<void> => {
  await replaceFile(file, `${JSON.stringify(summary, null, 2)}\n`);
};
