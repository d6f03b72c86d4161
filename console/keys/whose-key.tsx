import { useEffect, useState } from 'preact/hooks';
import type { KeyObject } from '../../functions/accounts/api/key-object.ts';
import { TextField } from '../parts/field.tsx';
import { notifyError } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';

const ID_LENGTH = 16;

/** A key's id is the start of its SHA-256, so the key does not have to be sent anywhere. */
const toKeyId = async (value: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value));
  const digits = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `key_${digits.slice(0, ID_LENGTH)}`;
};

const describeKey = (key: KeyObject | undefined): string => {
  if (key === undefined) return texts.keys.whoseUnknown;
  return key.revoked_at === null ? texts.keys.whoseKnown(key.name) : texts.keys.whoseRevoked(key.name);
};

export const WhoseKey = ({ keys }: { readonly keys: readonly KeyObject[] }) => {
  const [pasted, setPasted] = useState('');
  const [id, setId] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    setId(undefined);
    if (pasted.trim() !== '')
      toKeyId(pasted.trim()).then((found) => {
        if (isCurrent) setId(found);
      }, notifyError);
    return () => {
      isCurrent = false;
    };
  }, [pasted]);
  return (
    <section class="card stack">
      <h2>{texts.keys.whose}</h2>
      <TextField
        label={texts.keys.key}
        hint={texts.keys.whoseHint}
        type="password"
        autoComplete="off"
        placeholder="mgk_…"
        value={pasted}
        onChange={setPasted}
      />
      <p role="status">{id !== undefined && describeKey(keys.find((key) => key.id === id))}</p>
    </section>
  );
};
