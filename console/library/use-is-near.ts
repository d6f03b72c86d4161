import { useEffect, useState } from 'preact/hooks';

const watchers = new Map<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** One observer for all posters. The margin is about one row, so that a page does not load what is never seen. */
const observe = (element: Element, onChange: (isNear: boolean) => void): (() => void) => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watchers.get(target)?.(isIntersecting);
    },
    { rootMargin: '200px 0px' },
  );
  const shared = observer;
  watchers.set(element, onChange);
  shared.observe(element);
  return () => {
    watchers.delete(element);
    shared.unobserve(element);
  };
};

/** Whether the element is in view or close to it. A page may have only some dozens of players at a time. */
export const useIsNear = (element: { readonly current: Element | null }): boolean => {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => (element.current === null ? undefined : observe(element.current, setIsNear)), [element]);
  return isNear;
};
