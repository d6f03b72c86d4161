import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

type Props = { readonly isBusy: boolean; readonly onMore: () => void; readonly label?: string };

/** Loads the next page when the end of the list scrolls into view, or when the button is pressed. */
export const LoadMore = ({ isBusy, onMore, label = texts.library.loadMore }: Props) => {
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
      {isBusy ? texts.states.loading : label}
    </button>
  );
};
