import type { ApiKey } from '../api/shapes.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts/texts.ts';

type Props = { readonly apiKey: ApiKey | undefined; readonly onClose: () => void };

/** The one time that a key can be seen. */
export const ShowKey = ({ apiKey, onClose }: Props) => {
  const { base_url } = useCurrentSession();
  const value = apiKey?.value ?? '';
  return (
    <Dialog title={texts.keys.createdTitle} open={apiKey !== undefined} onClose={onClose}>
      <div class="stack">
        <p>{texts.keys.onceOnly}</p>
        <div class="key-value">
          <code>{value}</code>
          <CopyButton text={value} />
        </div>
        <p>{texts.keys.testLine}</p>
        <CodeBlock
          code={`curl ${base_url}/v1/models \\\n  -H "Authorization: Bearer ${value}"`}
          label={texts.keys.testLine}
        />
        <div class="row dialog-actions">
          <button type="button" class="button button-primary" onClick={onClose}>
            {texts.keys.done}
          </button>
        </div>
      </div>
    </Dialog>
  );
};
