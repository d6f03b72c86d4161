import { useEffect, useState } from 'preact/hooks';

/** Clocks of browsers can be wrong by a day; ages and countdowns follow the server's. */
let offsetMs = 0;

const NOTICEABLE_MS = 2000;

export const setServerTime = (dateHeader: string | null): void => {
  const serverMs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(serverMs)) return;
  const offset = serverMs - Date.now();
  offsetMs = Math.abs(offset) < NOTICEABLE_MS ? 0 : offset;
};

export const serverNow = (): number => Date.now() + offsetMs;

/** The time in milliseconds, again and again. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};
