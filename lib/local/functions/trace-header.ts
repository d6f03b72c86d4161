import { createHash, randomBytes } from 'node:crypto';

/** How often each function was invoked in one chain of requests, by the function's short hash. */
type Lineage = Readonly<Record<string, number>>;

const ENTRY = /^([0-9a-f]{1,16}):(\d{1,5})$/;

const fieldsOf = (header: string): ReadonlyMap<string, string> =>
  new Map(
    header.split(';').map((field) => {
      const [name = '', value = ''] = field.trim().split('=');
      return [name.toLowerCase(), value] as const;
    }),
  );

/** Lambda writes it as `Lineage=a87bd80c:1|68fd508a:5` behind the other fields of the X-Ray header. */
export const lineageOf = (header: string | undefined): Lineage => {
  const entries = (fieldsOf(header ?? '').get('lineage') ?? '').split('|').flatMap((text) => {
    const [, hash, count] = ENTRY.exec(text) ?? [];
    return hash === undefined ? [] : [[hash, Number(count)] as const];
  });
  return Object.fromEntries(entries);
};

const hashOf = (functionArn: string): string =>
  createHash('sha256').update(functionArn).digest('hex').slice(0, 8);

export const invocationsIn = (lineage: Lineage, functionArn: string): number =>
  lineage[hashOf(functionArn)] ?? 0;

/** The trace header of one invocation: goes on with the chains that led to it, and counts it in. */
export const traceHeader = (functionArn: string, cause: readonly string[] = []): string => {
  const counts: Record<string, number> = {};
  for (const lineage of cause.map(lineageOf)) {
    for (const [hash, count] of Object.entries(lineage)) counts[hash] = Math.max(counts[hash] ?? 0, count);
  }
  const own = hashOf(functionArn);
  counts[own] = (counts[own] ?? 0) + 1;
  const [root = newRoot()] = cause.flatMap((header) => fieldsOf(header).get('root') ?? []);
  const lineage = Object.entries(counts).map(([hash, count]) => `${hash}:${count}`);
  return `Root=${root};Parent=${hex(8)};Sampled=0;Lineage=${lineage.join('|')}`;
};

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

const newRoot = (): string => `1-${Math.floor(Date.now() / 1000).toString(16)}-${hex(12)}`;
