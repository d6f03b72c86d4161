import { useEffect, useRef, useState } from 'preact/hooks';
import { readStored, writeStored } from '../parts/database.ts';
import { readPreference, writePreference } from '../parts/preferences.ts';
import { notify } from '../shell/notices.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';

type Fields = Readonly<Record<string, unknown>>;

const parse = (text: string | undefined): Fields => {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Whatever wrote it, it is no draft.
    return {};
  }
};

export const saveDraft = (name: string, form: object): void => writePreference(name, JSON.stringify(form));

/** A form that survives leaving the page and reloading it. */
export const useDraft = <Form extends object>(
  name: string,
  read: (stored: Fields) => Form,
): readonly [Form, (change: Partial<Form>) => void] => {
  const [form, setForm] = useState(() => read(parse(readPreference(name))));
  const latest = useRef(form);
  const update = (change: Partial<Form>): void => {
    latest.current = { ...latest.current, ...change };
    setForm(latest.current);
    saveDraft(name, latest.current);
  };
  return [form, update];
};

/** The images of a draft. Where the browser may store none, they last as long as the page. */
export const useDraftFiles = <Files extends object>(
  name: string,
  empty: Files,
): readonly [Files, (files: Files) => void] => {
  const [files, setFiles] = useState(empty);
  const touched = useRef(false);
  useEffect(() => {
    readStored<Files>('drafts', name).then(
      (stored) => {
        if (stored !== undefined && !touched.current) setFiles({ ...empty, ...stored });
      },
      // Nothing is lost yet: whoever adds an image here is told that it is not kept.
      () => {},
    );
  }, [name, empty]);
  const update = (next: Files): void => {
    touched.current = true;
    setFiles(next);
    writeStored('drafts', name, next).catch(() => notify(texts.form.imagesNotKept, 'bad'));
  };
  return [files, update];
};
