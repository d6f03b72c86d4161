import { BookOpen, ChartColumn, Film, Image, KeyRound, ListVideo, Settings, Webhook } from 'lucide-preact';
import { initialTexts as texts } from '../texts/initial-texts.ts';

/** The pages of the navigation, in its order; `letter` follows `g`. */
export const NAVIGATION = [
  { path: '/playground/video', label: texts.navigation.video, icon: Film, letter: 'v', small: true },
  { path: '/playground/images', label: texts.navigation.images, icon: Image, letter: 'i', small: true },
  { path: '/tasks', label: texts.navigation.tasks, icon: ListVideo, letter: 't', small: true },
  { path: '/usage', label: texts.navigation.usage, icon: ChartColumn, letter: 'u', small: false },
  { path: '/keys', label: texts.navigation.keys, icon: KeyRound, letter: 'k', small: true },
  { path: '/webhooks', label: texts.navigation.webhooks, icon: Webhook, letter: 'w', small: false },
  { path: '/docs', label: texts.navigation.docs, icon: BookOpen, letter: 'd', small: false },
  { path: '/settings', label: texts.navigation.settings, icon: Settings, letter: 's', small: false },
] as const;
