import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../api/clock.ts';

/** The time in milliseconds, again and again. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};
