/**
 * Loaded before `node:test`, which tracks every promise to find the test that caused an unhandled rejection. Tracking
 * takes a tenth of the CPU time. Without it, an unhandled rejection still fails the file.
 */
import asyncHooks from 'node:async_hooks';

const { createHook } = asyncHooks;

Object.assign(asyncHooks, {
  createHook: (callbacks: asyncHooks.HookCallbacks) =>
    createHook(Object.assign({}, callbacks, { trackPromises: false })),
});
