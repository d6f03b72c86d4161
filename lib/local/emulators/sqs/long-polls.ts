/** Where long polls wait: until something arrives, a moment comes, or their client goes away. */
export const longPolls = () => {
  const waiting = new Map<string, Set<() => void>>();

  const leave = (queue: string, wake: () => void) => {
    const others = waiting.get(queue);
    others?.delete(wake);
    if (others?.size === 0) waiting.delete(queue);
  };

  return {
    wake(queue: string): void {
      for (const wake of waiting.get(queue) ?? []) wake();
    },
    wait(queue: string, until: number, signal: AbortSignal): Promise<void> {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          leave(queue, wake);
          resolve();
        };
        const timer = setTimeout(wake, Math.max(0, until - Date.now()));
        signal.addEventListener('abort', wake);
        waiting.set(queue, (waiting.get(queue) ?? new Set()).add(wake));
      });
    },
  };
};

export type LongPolls = ReturnType<typeof longPolls>;
