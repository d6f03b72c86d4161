/** How the errors of an endpoint are worded. */
export type Family = 'openAi' | 'native';

/** A request that must be refused. */
export type Case = {
  readonly title: string;
  readonly family: Family;
  readonly method: string;
  readonly path: string;
  /** Instead of the right key. */
  readonly key?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** The statuses that are right. */
  readonly statuses: readonly number[];
  readonly code?: string;
  readonly param?: string;
};

export const JSON_TYPE = { 'content-type': 'application/json' };

/** A value as a short title. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 50)}… (${text.length})` : text;
};

/** The object with one field set, at a path of names such as `metadata.seed`. */
export const withField = (base: object, path: string, value: unknown): object => {
  const [name = '', ...rest] = path.split('.');
  const below = Object(Reflect.get(base, name) ?? {});
  return { ...base, [name]: rest.length === 0 ? value : withField(below, rest.join('.'), value) };
};
