import * as z from 'zod/mini';

const documentSchema = z.looseObject({
  tags: z.array(z.looseObject({ name: z.string() })),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ operationId: z.string(), tags: z.array(z.string()) })),
  ),
});

/** Leaves out operations, and the tags and paths that have no others. */
export const withoutOperations = (text: string, leftOut: readonly string[]): string => {
  if (leftOut.length === 0) return text;
  const document = documentSchema.parse(JSON.parse(text));
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const kept = Object.entries(methods).filter(([, { operationId }]) => !leftOut.includes(operationId));
    return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)] as const];
  });
  const used = new Set(paths.flatMap(([, methods]) => Object.values(methods).flatMap(({ tags }) => tags)));
  return JSON.stringify({
    ...document,
    tags: document.tags.filter(({ name }) => used.has(name)),
    paths: Object.fromEntries(paths),
  });
};
