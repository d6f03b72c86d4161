import { useEffect, useRef, useState } from 'preact/hooks';
import { currentAccount } from '../api/session.ts';
import { notify } from '../session/notices.ts';
import {
  currentTab,
  readPreference,
  readStored,
  removeStored,
  writePreference,
  writeStored,
} from '../session/storage.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Fields = Readonly<Record<string, unknown>>;

const parse = (text: string | undefined): Fields => {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Not a draft of ours.
    return {};
  }
};

/** Each tab has its own drafts in each account. */
export const inTab = (name: string, tab = currentTab()): string => `${name}.${currentAccount()}.${tab}`;

/** The tabs that have saved something, the last one first. A new tab starts with the drafts of the last one. */
const TABS = 'tabs';
const MAX_TABS = 5;
const DRAFTS = ['video-draft', 'image-draft', 'storyboard-draft', 'video-task'] as const;

const listTabs = (): readonly string[] => (readPreference(inTab(TABS, '')) ?? '').split(' ').filter(Boolean);

/** Forgets the drafts of the tabs that were used longest ago. */
const noteTab = (): void => {
  const tab = currentTab();
  const tabs = [tab, ...listTabs().filter((other) => other !== tab)];
  writePreference(inTab(TABS, ''), tabs.slice(0, MAX_TABS).join(' '));
  for (const old of tabs.slice(MAX_TABS))
    for (const name of DRAFTS) {
      writePreference(inTab(name, old), undefined);
      // Without storage there is nothing to remove.
      removeStored('drafts', inTab(name, old)).catch(() => {});
    }
};

/** The place of a draft: that of this tab if it has one, else that of the last tab that has one. */
const placeToRead = (name: string): string =>
  inTab(
    name,
    [currentTab(), ...listTabs()].find((tab) => readPreference(inTab(name, tab)) !== undefined),
  );

export const saveDraft = (name: string, form: object): void => {
  noteTab();
  writePreference(inTab(name), JSON.stringify(form));
};

export const saveDraftFiles = async (name: string, files: object): Promise<void> => {
  // Its place is found by the form.
  if (readPreference(inTab(name)) === undefined)
    saveDraft(
      name,
      readDraft(name, (form) => form),
    );
  try {
    await writeStored('drafts', inTab(name), files);
  } catch {
    notify(texts.form.imagesNotKept, 'bad');
  }
};

export const readDraft = <Form>(name: string, read: (stored: Fields) => Form): Form =>
  read(parse(readPreference(placeToRead(name))));

/** The images of a draft; empty if the browser refuses storage. */
export const readDraftFiles = async <Files extends object>(name: string, empty: Files): Promise<Files> => {
  const stored = await readStored<Files>('drafts', placeToRead(name)).catch(() => undefined);
  return { ...empty, ...stored };
};

/** A form that the browser keeps when the page is left or reloaded. */
export const useDraft = <Form extends object>(
  name: string,
  read: (stored: Fields) => Form,
): readonly [Form, (change: Partial<Form>) => void] => {
  const [form, setForm] = useState(() => readDraft(name, read));
  const latest = useRef(form);
  useEffect(() => {
    // From now on this tab has a draft of its own.
    if (placeToRead(name) !== inTab(name)) saveDraft(name, latest.current);
  }, [name]);
  const update = (change: Partial<Form>): void => {
    latest.current = { ...latest.current, ...change };
    setForm(latest.current);
    saveDraft(name, latest.current);
  };
  return [form, update];
};

/** The images of a draft; lost with the page if the browser refuses to store them. */
export const useDraftFiles = <Files extends object>(
  name: string,
  empty: Files,
): readonly [Files, (files: Files) => void] => {
  const [files, setFiles] = useState(empty);
  const [place] = useState(() => placeToRead(name));
  const isChanged = useRef(false);
  useEffect(() => {
    readStored<Files>('drafts', place).then(
      (stored) => {
        if (stored === undefined || isChanged.current) return;
        setFiles({ ...empty, ...stored });
        if (place !== inTab(name)) void saveDraftFiles(name, stored);
      },
      // Nothing is lost yet; adding an image shows that it is not kept.
      () => {},
    );
  }, [name, place, empty]);
  const update = (next: Files): void => {
    isChanged.current = true;
    setFiles(next);
    void saveDraftFiles(name, next);
  };
  return [files, update];
};
