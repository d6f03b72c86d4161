import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useMutation } from '../api/hooks.ts';
import { Button } from '../parts/buttons.tsx';
import { formatNumber } from '../parts/format.ts';
import { notifyError, orNotify } from '../shell/notices.tsx';
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
  const { mutate, isPending } = useMutation(() =>
    orNotify(async () => {
      setCount(0);
      if (!(await canZip())) throw new Error(texts.library.cannotZip);
      const { failed } = await downloadZip(await load(), setCount, sequence);
      for (const { error } of failed) notifyError(error);
    }),
  );
  return (
    <Button
      icon={Download}
      iconSize={16}
      isSmall={isSmall}
      aria-disabled={isPending}
      onClick={() => void mutate()}
    >
      {isPending ? texts.library.working(formatNumber(count), formatNumber(total)) : texts.library.zip}
    </Button>
  );
};
