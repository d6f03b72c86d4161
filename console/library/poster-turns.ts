/** How many posters load at a time, so that those in view are not slowed down by others. */
const MAX_LOADING = 4;
/** A poster that neither loads nor fails does not block the others for longer. */
const MAX_LOADING_MS = 30_000;

let loading = 0;
const waiting: (() => void)[] = [];

const startNext = (): void => {
  while (loading < MAX_LOADING) {
    const start = waiting.shift();
    if (start === undefined) return;
    loading += 1;
    start();
  }
};

/** Calls `start` when it is this poster's turn. Call the returned function once it has loaded, failed or is gone. */
export const waitForTurn = (start: () => void): (() => void) => {
  let state: 'waiting' | 'loading' | 'done' = 'waiting';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    state = 'loading';
    timer = setTimeout(end, MAX_LOADING_MS);
    start();
  };
  const end = (): void => {
    clearTimeout(timer);
    if (state === 'waiting') waiting.splice(waiting.indexOf(begin), 1);
    if (state === 'loading') loading -= 1;
    state = 'done';
    startNext();
  };
  waiting.push(begin);
  startNext();
  return () => {
    if (state !== 'done') end();
  };
};
