const KEPT = new Set(['content-type', 'content-disposition', 'content-language', 'cache-control', 'expires']);

export const storedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const kept = Object.entries(headers).filter(([name]) => KEPT.has(name) || name.startsWith('x-amz-meta-'));
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'aws-chunked');
  return {
    'content-type': 'binary/octet-stream',
    ...Object.fromEntries(kept),
    ...(encoding.length > 0 ? { 'content-encoding': encoding.join(',') } : {}),
  };
};
