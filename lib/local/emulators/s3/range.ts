import { AwsError } from '../aws-http/aws-error.ts';

const unsatisfiable = (range: string, size: number): AwsError =>
  new AwsError(416, 'InvalidRange', 'The requested range is not satisfiable', {
    details: { RangeRequested: range, ActualObjectSize: String(size) },
    headers: { 'content-range': `bytes */${size}` },
  });

/** The half-open slice that a Range header asks for; none where S3 ignores the header and sends everything. */
export const readRange = (
  range: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (range === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    if (Number(last) === 0 || size === 0) throw unsatisfiable(range, size);
    return { start: Math.max(size - Number(last), 0), end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) throw unsatisfiable(range, size);
  return { start, end };
};
