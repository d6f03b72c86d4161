import { useEffect, useState } from 'preact/hooks';

/** Whether the last request got a response, and the browser says that it is online. */
let isConnected = true;
const listeners = new Set<() => void>();

export const setConnected = (connected: boolean): void => {
  if (connected === isConnected) return;
  isConnected = connected;
  for (const listener of listeners) listener();
};

const noteOffline = (): void => setConnected(false);
/** Requests then show whether the service can be reached. */
const noteOnline = (): void => setConnected(true);

export const useConnection = (): boolean => {
  const [connected, setShown] = useState(isConnected);
  useEffect(() => {
    const listener = (): void => setShown(isConnected);
    listeners.add(listener);
    listener();
    addEventListener('offline', noteOffline);
    addEventListener('online', noteOnline);
    return () => {
      listeners.delete(listener);
      removeEventListener('offline', noteOffline);
      removeEventListener('online', noteOnline);
    };
  }, []);
  return connected;
};
