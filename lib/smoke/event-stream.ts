import { parseJson } from './json-path.ts';

const DATA = 'data: ';

/** The data of each server-sent event: parsed JSON, or the text where it is none, as `[DONE]` is. */
export const eventsIn = (body: string): readonly unknown[] =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith(DATA))
    .map((event) => event.slice(DATA.length))
    .map((data) => parseJson(data) ?? data);
