import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RuntimeError, readStreaming } from './runtime-handler.ts';

export type Handler = {
  /** Undefined for a handler that returns its whole answer. */
  readonly streaming: ReturnType<typeof readStreaming>;
  readonly call: (...parameters: unknown[]) => unknown;
};

const CALLBACK_REMOVED =
  'ERROR: AWS Lambda has removed support for callback-based function handlers starting with Node.js 24.';

/** Finds `index.handler` in index.js, index.mjs or index.cjs of the bundle, as Lambda does. */
export const loadHandler = async (taskRoot: string, handler: string): Promise<Handler> => {
  const dot = handler.lastIndexOf('.');
  const [module, name] = [handler.slice(0, dot), handler.slice(dot + 1)];
  const file = ['.js', '.mjs', '.cjs'].map((ending) => join(taskRoot, module + ending)).find(existsSync);
  if (file === undefined)
    throw new RuntimeError('ImportModuleError', `Error: Cannot find module '${module}'`);
  const exported = await import(pathToFileURL(file).href);
  const found: unknown = exported[name] ?? exported.default?.[name];
  if (typeof found !== 'function') {
    const reason = found ? 'is not a function' : 'is undefined or not exported';
    throw new RuntimeError('HandlerNotFound', `${handler} ${reason}`);
  }
  const streaming = readStreaming(found);
  if (streaming === undefined && found.length >= 3)
    throw new RuntimeError('CallbackHandlerDeprecated', CALLBACK_REMOVED);
  return { streaming, call: (...parameters) => found(...parameters) };
};
