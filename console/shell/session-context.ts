import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from '../api/shapes.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

export const useCurrentSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('There is no session around this page');
  return session;
};
