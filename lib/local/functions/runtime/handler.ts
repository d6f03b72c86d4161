import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isStreaming } from './streaming.ts';

export type Handler = {
  readonly streaming: boolean;
  readonly call: (...parameters: unknown[]) => unknown;
};

class RuntimeError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = `Runtime.${name}`;
  }
}

/** Finds `index.handler` in index.mjs, index.cjs or index.js of the bundle, as Lambda does. */
export const loadHandler = async (taskRoot: string, handler: string): Promise<Handler> => {
  const dot = handler.lastIndexOf('.');
  const [module, name] = [handler.slice(0, dot), handler.slice(dot + 1)];
  const file = ['.mjs', '.cjs', '.js'].map((ending) => join(taskRoot, module + ending)).find(existsSync);
  if (file === undefined)
    throw new RuntimeError('ImportModuleError', `Error: Cannot find module '${module}'`);
  const exported = await import(pathToFileURL(file).href);
  const found: unknown = exported[name] ?? exported.default?.[name];
  if (typeof found !== 'function') {
    throw new RuntimeError('HandlerNotFound', `${handler} is undefined or not exported`);
  }
  return { streaming: isStreaming(found), call: (...parameters) => found(...parameters) };
};
