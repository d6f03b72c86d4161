import { accessSync, constants, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export const INSTALL_CHROMIUM = 'sudo apt-get install chromium';

type Environment = Readonly<Record<string, string | undefined>>;

/** Without windows to draw, a page opens in a fraction of the time: the headless shells go first. */
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const USUAL_PLACES = [
  '/snap/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where the executable lies in a folder of Playwright's such as `chromium-1234`. */
const PLAYWRIGHT_SHELLS = [
  'chrome-linux/headless_shell',
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-mac/headless_shell',
  'chrome-headless-shell-mac-arm64/chrome-headless-shell',
];
const PLAYWRIGHT_FILES = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const listFolder = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const playwrightFiles = (
  { PLAYWRIGHT_BROWSERS_PATH, HOME = homedir() }: Environment,
  browser: string,
  files: readonly string[],
): string[] => {
  const folders =
    PLAYWRIGHT_BROWSERS_PATH === undefined
      ? [join(HOME, '.cache', 'ms-playwright'), join(HOME, 'Library', 'Caches', 'ms-playwright')]
      : [PLAYWRIGHT_BROWSERS_PATH];
  return folders.flatMap((folder) =>
    listFolder(folder)
      .filter((name) => name.startsWith(`${browser}-`))
      .toSorted()
      .reverse()
      .flatMap((name) => files.map((file) => join(folder, name, file))),
  );
};

/** The file that starts Chromium, if there is one; one that is named must be there. */
export const findChromium = (environment: Environment = process.env): string | undefined => {
  const { CHROMIUM_PATH, PATH = '' } = environment;
  if (CHROMIUM_PATH !== undefined) {
    if (isExecutable(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new Error('CHROMIUM_PATH names no file that can be run.');
  }
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const onPath = (names: readonly string[]) =>
    folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [
    ...onPath(SHELL_NAMES),
    ...playwrightFiles(environment, 'chromium_headless_shell', PLAYWRIGHT_SHELLS),
    ...onPath(NAMES),
    ...USUAL_PLACES,
    ...playwrightFiles(environment, 'chromium', PLAYWRIGHT_FILES),
  ].find(isExecutable);
};

/** Said once for all test files, before the first of them. */
export const announceBrowser = (environment: Environment = process.env): void => {
  if (findChromium(environment) !== undefined) return;
  if (environment.BROWSER_TESTS === 'required')
    throw new Error(`BROWSER_TESTS=required, and no Chromium was found: ${INSTALL_CHROMIUM}`);
  console.error(`!!! The browser tests are SKIPPED: no Chromium was found. Install it: ${INSTALL_CHROMIUM}`);
};
