import { readPreference, writePreference } from '../parts/preferences.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const applyTheme = (): void => {
  const theme = readPreference('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};

export const chooseTheme = (theme: Theme): void => {
  writePreference('theme', theme === 'system' ? undefined : theme);
  applyTheme();
};
