import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useMutation } from '../api/hooks.ts';
import { formatNumber } from '../parts/format.ts';
import { notifyError } from '../shell/notices.tsx';
import { texts } from '../texts/texts.ts';
import type { LibraryItem } from './items.ts';
import { canZip, downloadZip, type Sequence } from './zip-download.ts';

type Props = {
  readonly total: number;
  readonly load: () => Promise<readonly LibraryItem[]>;
  readonly sequence: Sequence;
  readonly isSmall?: boolean;
};

/** Items as they are, in their order, with a list: nothing is encoded again, so content credentials stay valid. */
export const ZipButton = ({ total, load, sequence, isSmall = false }: Props) => {
  const [count, setCount] = useState(0);
  const { mutate, isPending } = useMutation(async () => {
    setCount(0);
    try {
      if (!(await canZip())) throw new Error(texts.library.cannotZip);
      const { failed } = await downloadZip(await load(), setCount, sequence);
      for (const { error } of failed) notifyError(error);
    } catch (error) {
      notifyError(error);
    }
  });
  return (
    <button
      type="button"
      class={`button ${isSmall ? 'button-small' : ''}`}
      aria-disabled={isPending}
      onClick={() => void mutate()}
    >
      <Download size={16} aria-hidden />
      {isPending ? texts.library.working(formatNumber(count), formatNumber(total)) : texts.library.zip}
    </button>
  );
};
