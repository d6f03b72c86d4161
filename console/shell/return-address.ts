import { readPreference, writePreference } from '../parts/preferences.ts';

/** Where somebody was when the session ended: a sign-in link opens in another tab, so it is not kept in this one. */
const NAME = 'return-to';

export const rememberPlace = (path: string): void => writePreference(NAME, path);

/** Only a path of the console: whatever else is stored there is no place to go. */
export const takePlace = (): string => {
  const path = readPreference(NAME);
  writePreference(NAME, undefined);
  return path !== undefined && /^\/(?![/\\])/.test(path) && !path.startsWith('/sign-in') ? path : '/';
};
