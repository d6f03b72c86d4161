import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

type Props = { readonly isBusy: boolean; readonly onMore: () => void };

/** Loads on when the end of the list comes into sight; the button is for those who get there otherwise. */
export const LoadMore = ({ isBusy, onMore }: Props) => {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null || isBusy) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: '600px' },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isBusy, onMore]);
  return (
    <button ref={button} type="button" class="button" disabled={isBusy} onClick={onMore}>
      {isBusy ? texts.states.loading : texts.tasks.loadMore}
    </button>
  );
};
