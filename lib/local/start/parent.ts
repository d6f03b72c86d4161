const PARENT = process.ppid;
const LOOK_MILLISECONDS = 1_000;

/** Resolves when the process that started this one has ended: npm or a shell may be killed and send no signal. */
export const parentGone = (): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    resolve();
  }, LOOK_MILLISECONDS);
  timer.unref();
  return promise;
};
