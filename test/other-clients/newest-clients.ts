import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Loaded before a test: its clients are then those of the folder with the newest versions. */
const FOLDER = resolve(process.env.NEWEST_CLIENTS ?? '');
const NAMES = new Set((process.env.NEWEST_NAMES ?? '').split(' '));
const parentURL = pathToFileURL(join(FOLDER, 'package.json')).href;

/** `@vendor/name/part` is part of `@vendor/name`. */
const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier,
      // A package keeps the versions that were installed with it.
      NAMES.has(packageName(specifier)) && !context.parentURL?.includes('/node_modules/')
        ? { ...context, parentURL }
        : context,
    ),
});
