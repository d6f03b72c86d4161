import { useEffect, useState } from 'preact/hooks';

/** The clock of the browser can be wrong, so ages and countdowns use the server's time. */
let offsetMs = 0;

const MIN_OFFSET_MS = 2000;

export const setServerTime = (dateHeader: string | null): void => {
  const serverMs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(serverMs)) return;
  const offset = serverMs - Date.now();
  offsetMs = Math.abs(offset) < MIN_OFFSET_MS ? 0 : offset;
};

export const serverNow = (): number => Date.now() + offsetMs;

/** The server's time in milliseconds, updated at an interval. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};
