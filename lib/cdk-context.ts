import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const schema = z.object({ context: z.record(z.string(), z.unknown()) });

/** The context of cdk.json, which `cdk` passes to the app, for code that runs without `cdk`. */
export const readCdkContext = (): Readonly<Record<string, unknown>> =>
  schema.parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', 'cdk.json'), 'utf8'))).context;
