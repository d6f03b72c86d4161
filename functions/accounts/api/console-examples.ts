import { generateApiKey } from '../../platform/domain/api-key.ts';
import type { Session } from '../../platform/domain/session.ts';
import { createdKey, deletedKey, keyList, serviceAccountKey } from './key-object.ts';
import {
  currentSessionObject,
  endedSession,
  linkObject,
  sessionList,
  sessionObject,
} from './session-object.ts';

/** Examples of the console's answers, built by what builds the answers. */

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const HOUR = 60 * 60 * 1000;
const BASE_URL = 'https://api.example.com';
const TOKEN = `mgl_${'0'.repeat(43)}.example`;

const session: Session = {
  id: `sess_${'0'.repeat(32)}`,
  account: 'example',
  createdAt: CREATED_AT,
  expiresAt: CREATED_AT + 12 * HOUR,
  secretHash: '',
};

const key = {
  ...generateApiKey('example', 'Render farm', CREATED_AT, { monthlyBudget: '20' }).stored,
  id: 'key_0123456789abcdef',
  lastFour: 'wxyz',
};
const VALUE = 'mgk_…';

export const CONSOLE_EXAMPLES = {
  signIn: { link: { token: TOKEN } },
  session: { session: sessionObject(session) },
  current: {
    session: currentSessionObject(session, {
      baseUrl: BASE_URL,
      prices: { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '0.40' }, image: {} },
      videoRetentionDays: 7,
      sampleGenerator: false,
      limits: { monthlyBudget: '100', videosAtOnce: undefined, createsPerMinute: 60 },
    }),
  },
  sessions: { page: sessionList([session], session.id) },
  ended: { ended: endedSession(session.id) },
  link: { link: linkObject(BASE_URL, TOKEN, { linkUntil: CREATED_AT + HOUR / 4 }) },
  newKey: { key: { name: 'Render farm', expires_in_seconds: 2_592_000, monthly_budget: '20' } },
  keys: { page: keyList([key], false, CREATED_AT) },
  createdKey: { key: createdKey(key, VALUE) },
  serviceAccountKey: { key: serviceAccountKey(key, VALUE) },
  deletedKey: { deleted: deletedKey(key.id) },
} as const;
